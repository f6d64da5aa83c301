// Preloaded into a program (LD_PRELOAD), counts its allocations in the file that ALLOCATION_COUNTER_FILE names: one
// unsigned integer of 64 bits. It has no interface.
#pragma once
