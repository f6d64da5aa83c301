// Preloaded into a program (LD_PRELOAD), keeps its main thread, which Valgrind does not survive the end of.
#pragma once
