/// The style sheet of the console: the tokens and components of the hosted pages, denser, and what only the console has.
/// The console keeps its own accent, so that no brand reads as a state.
enum ConsoleStyle {
    static let text = StyleSheet.shared + frame + parts + tables + charts + timeline + identities + forms + wide

    private static let frame = """
        .console{font-size:.875rem}
        .console h1{font-size:1.25rem;line-height:1.4}
        .console h2{font-size:.9375rem}
        .console .button{min-height:2.125rem;padding:.3125rem .75rem;font-size:.875rem}
        .console .badge{font-size:.75rem}
        .shell{display:grid;grid-template:auto 1fr/minmax(0,1fr);min-height:100vh}
        .side{padding:.5rem 1rem;border-block-end:1px solid var(--line);background:var(--surface)}
        .site{display:flex;align-items:center;gap:.5rem;min-width:0;font-weight:650}
        .site .icon{color:var(--accent-text)}
        .side summary{display:flex;align-items:center;justify-content:space-between;gap:.75rem;min-height:2.75rem;
        list-style:none;font-weight:600}
        .side summary::-webkit-details-marker{display:none}
        .side nav a{display:flex;align-items:center;gap:.625rem;min-height:2.75rem;padding-inline:.625rem;
        border-radius:.5rem;color:var(--soft);font-weight:500;text-decoration:none}
        .side nav .icon{width:1.125rem;height:1.125rem}
        .side nav a:hover{background:var(--inset);color:var(--ink)}
        .side nav a[aria-current]{background:var(--inset);color:var(--ink);font-weight:600}
        .side nav .first:not(:first-child){margin-block-start:1rem}
        .side .count{margin-inline-start:auto;color:var(--warn-text);font-size:.75rem;font-weight:600;
        font-variant-numeric:tabular-nums}
        .self{display:flex;align-items:center;gap:.625rem;margin-block-start:1rem;padding:.75rem .625rem .375rem;
        border-block-start:1px solid var(--line);font-size:.8125rem;line-height:1.4}
        .self .about{flex:1;min-width:0}
        .self .name{font-size:.875rem;font-weight:600}
        .self .avatar{width:2rem;height:2rem;font-size:.8125rem}
        .self button{min-height:1.5rem;padding:0;border:0;background:none;color:var(--accent-text);font:inherit;
        text-decoration:underline;text-underline-offset:.18em;cursor:pointer}
        .rail{display:none}
        .work{display:grid;gap:1rem;align-content:start;min-width:0;max-width:76rem;padding:1rem}
        .work>*{min-width:0}
        .find{display:flex;gap:.5rem}
        .find .wrap{position:relative;flex:1;min-width:0;max-width:34rem}
        .find .icon{position:absolute;inset-inline-start:.6875rem;inset-block-start:50%;translate:0 -50%;width:1.125rem;
        height:1.125rem;color:var(--soft)}
        .console .entry{min-height:2.125rem;padding:.3125rem .75rem;font-size:.875rem}
        .console .find .entry{padding-inline-start:2.25rem}
        .entry::placeholder{color:var(--soft);opacity:1}
        @media (pointer:coarse){.console .button{min-height:2.5rem}.console .entry{min-height:2.75rem;font-size:1rem}}

        """

    private static let parts = """
        .pagehead{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.75rem 1rem;
        min-height:2.125rem}
        .console .banner:has(.button){align-items:center}
        .banner .button{margin-inline-start:.5rem}
        .pagehead .about{flex:1 1 14rem;min-width:0}
        .pagehead .avatar{width:3.5rem;height:3.5rem;font-size:1.25rem}
        .title{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .5rem}
        .crumb{color:var(--soft);font-size:.8125rem}
        .crumb a{color:inherit}
        .actions{display:flex;flex-wrap:wrap;gap:.5rem}
        .more{position:relative}
        .more>summary{list-style:none}
        .more>summary::-webkit-details-marker{display:none}
        .menu{position:absolute;inset-inline-end:0;z-index:1;display:grid;gap:.5rem;min-width:12rem;margin-block-start:.25rem;
        padding:.75rem;box-shadow:var(--high)}
        @media (max-width:48rem){.more[open]{flex-basis:100%}.menu{position:static}}
        .tabs{display:inline-flex;flex-wrap:wrap;padding:2px;border-radius:.5rem;background:var(--inset)}
        .tabs a{display:inline-flex;align-items:center;min-height:1.875rem;padding-inline:.75rem;border-radius:.375rem;
        color:var(--soft);font-weight:550;text-decoration:none}
        .tabs a[aria-current]{background:var(--chosen);color:var(--ink);box-shadow:var(--low)}
        .grid{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem;align-items:start}
        .column{display:grid;gap:inherit;align-content:start;min-width:0}
        .block{min-width:0;padding:1rem}
        .block>header{display:flex;flex-wrap:wrap;align-items:baseline;justify-content:space-between;gap:.25rem .75rem;
        margin-block-end:.75rem}
        .block>*+*{margin-block-start:.75rem}
        .tiny{font-size:.8125rem;line-height:1.4}
        .calm{color:inherit;text-decoration-color:var(--edge)}
        .calm:hover{color:var(--accent-text);text-decoration-color:currentColor}
        .pick{user-select:all;-webkit-user-select:all;overflow-wrap:anywhere}
        .rows>li>.button{min-height:2rem;white-space:nowrap}
        .state{display:inline-flex;align-items:center;gap:.375rem;vertical-align:bottom;white-space:nowrap}
        .rows .state{white-space:normal}
        .rows>li>.state{flex:none;max-width:55%}
        .facts time{white-space:normal}
        .state .icon{width:1rem;height:1rem}
        .state-good{color:var(--good-text)}
        .state-warn{color:var(--warn-text)}
        .state-bad{color:var(--danger-text)}
        .console .rule{min-height:1.5rem;padding-inline:.3125rem;border-radius:.375rem;color:var(--soft);
        font:500 .75rem/1.4 ui-monospace,"SF Mono",Menlo,Consolas,"Noto Sans Mono",monospace;text-decoration:none}
        .rule:hover{text-decoration:underline}
        .kpis{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));padding:0}
        .kpis>div{padding:1rem;border-block-start:1px solid var(--line)}
        .kpis>div:nth-child(-n+2){border-block-start:0}
        .kpis>div:nth-child(even){border-inline-start:1px solid var(--line)}
        .kpis dt,.kpis .note{color:var(--soft)}
        .kpis .value{font-size:1.5rem;font-weight:650;line-height:1.3;font-variant-numeric:tabular-nums}
        .kpis .note{font-size:.8125rem}
        .console .rows>li{padding-block:.625rem}
        .console .rows>li:first-child{padding-block-start:0}
        .console .rows>li:last-child{padding-block-end:0}
        .console .rows .mark svg{width:1.125rem;height:1.125rem}
        .console .rows .letter{height:1.25rem;width:1.25rem;font-size:.75rem;margin-inline:.125rem}
        .empty{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;color:var(--soft)}
        .empty .state{white-space:normal}
        .pager{display:flex;align-items:center;justify-content:space-between;gap:.75rem;padding-block-start:.75rem;
        border-block-start:1px solid var(--line);color:var(--soft)}
        .cli{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;color:var(--soft);font-size:.8125rem}
        .cli code,.secret code{padding:.125rem .5rem;border-radius:.375rem;background:var(--inset);color:var(--ink)}
        .secret{padding:1rem;border:1px solid var(--edge);border-radius:.5rem}
        .bullets{padding-inline-start:1.25rem;list-style:disc}
        .bullets>*+*{margin-block-start:.375rem}
        mark{border-radius:.25rem;background:var(--accent-tint);color:var(--accent-text);font-weight:700}

        """

    private static let tables = """
        .scroll{position:relative;overflow-x:auto}
        table{width:100%;border-collapse:collapse}
        th{padding:0 0 .5rem;color:var(--soft);font-size:.8125rem;font-weight:500;text-align:start;
        border-block-end:1px solid var(--line)}
        td{padding:.625rem 0;border-block-end:1px solid var(--line);vertical-align:middle;overflow-wrap:break-word}
        td .tiny,td code{overflow-wrap:anywhere}
        td time{white-space:normal}
        td .button{white-space:nowrap}
        td .name{font-weight:600}
        tr:last-child td{padding-block-end:0;border-block-end:0}
        :is(th,td)+:is(th,td){padding-inline-start:.75rem}
        .n{text-align:end;font-variant-numeric:tabular-nums;white-space:nowrap}
        .bars{width:30%}
        .meter{width:100%;min-width:3rem;height:.5rem}
        .meter .track{fill:var(--inset)}
        .marks{display:flex;gap:.25rem}
        .filters{display:flex;flex-wrap:wrap;gap:.25rem}
        .filters a{display:inline-flex;align-items:center;min-height:1.75rem;padding-inline:.625rem;
        border:1px solid var(--line);border-radius:999px;color:var(--ink);font-size:.8125rem;text-decoration:none}
        .filters a:hover{border-color:var(--edge)}
        .filters a[aria-current]{border-color:var(--accent-text);background:var(--accent-tint);color:var(--accent-text);
        font-weight:600}
        td .mark svg{width:1.125rem;height:1.125rem}
        @media (max-width:40rem){
        .stacks,.stacks :is(tbody,tr,td){display:block}
        .stacks thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
        .stacks tr{padding-block:.75rem;border-block-end:1px solid var(--line)}
        .stacks tr:first-child{padding-block-start:0}
        .stacks tr:last-child{padding-block-end:0;border-block-end:0}
        .stacks td{position:relative;padding:0;border:0}
        .stacks td:empty{display:none}
        .stacks td+td{margin-block-start:.375rem;padding-inline-start:0}
        .stacks td[data-title]{padding-inline-start:6rem}
        .stacks td[data-title]::before{content:attr(data-title);position:absolute;inset-inline-start:0;max-width:5.5rem;
        color:var(--soft)}
        .stacks .actions{justify-content:flex-start;margin-block-start:.25rem}}

        """

    /// The bars are drawn without proportions, and all text stands around the drawing, so that no text is scaled.
    private static let charts = """
        .chart{display:grid;grid-template-columns:2.5rem minmax(0,1fr);column-gap:.5rem}
        .chart .label{grid-column:1/-1;display:flex;align-items:center;gap:.5rem;margin-block-end:.75rem;font-size:.8125rem}
        .key{width:.625rem;height:.625rem;border-radius:2px}
        .chart .y{display:flex;flex-direction:column;justify-content:space-between;margin-block:-.375rem;color:var(--soft);
        font-size:.75rem;line-height:1;text-align:end;font-variant-numeric:tabular-nums}
        .chart svg{width:100%;height:8.5rem;overflow:visible}
        .chart.low svg{height:3.5rem}
        .chart .x{grid-column:2;display:flex;justify-content:space-between;margin-block-start:.5rem;color:var(--soft);
        font-size:.75rem;font-variant-numeric:tabular-nums}
        .line{stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke}
        .line.base{stroke:var(--edge)}
        .completed{fill:var(--completed)}
        .failed{fill:var(--failed)}
        .key.completed{background:var(--completed)}
        .key.failed{background:var(--failed)}
        .figures summary{min-height:1.5rem;color:var(--soft);font-size:.8125rem}
        .figures table{max-width:24rem;margin-block-start:.75rem}
        .figures td{padding-block:.25rem}
        [dir=rtl] .chart svg,[dir=rtl] .meter{transform:scaleX(-1)}
        @media (forced-colors:active){.completed,.failed{fill:CanvasText}.key{forced-color-adjust:none}}

        """

    private static let timeline = """
        .timeline>li{position:relative;display:grid;grid-template-columns:1.75rem minmax(0,1fr);gap:0 .75rem;
        padding-block-end:1.25rem}
        .timeline>li:last-child{padding-block-end:0}
        .timeline>li:not(:last-child)::before{content:"";position:absolute;inset-inline-start:calc(.875rem - 1px);
        inset-block:2rem .25rem;border-inline-start:2px solid var(--line)}
        .dot{display:grid;place-items:center;width:1.75rem;height:1.75rem;border-radius:50%}
        .dot.neutral{background:var(--inset);color:var(--soft)}
        .dot .icon{width:1rem;height:1rem}
        .timeline .text{padding-block-start:.1875rem}
        .timeline .meta{display:flex;flex-wrap:wrap;align-items:center;gap:.125rem .5rem;margin-block-start:.125rem;
        color:var(--soft);font-size:.8125rem}
        .timeline .meta a{display:inline-flex;align-items:center;min-height:1.5rem}
        .day{color:var(--soft);font-size:.8125rem}
        .block>.timeline+.day{margin-block-start:1.25rem}

        """

    /// The identities that became one user: cards, curves, the user. On a narrow screen a tree.
    private static let identities = """
        .join{display:grid;grid-template-columns:minmax(0,1fr)}
        .join .from{display:grid;gap:.75rem}
        .join .from li{position:relative;display:flex;gap:.75rem;margin-inline-start:1.5rem;padding:.625rem .75rem;
        border:1px solid var(--line);border-radius:.5rem;background:var(--raised)}
        .join .from li::before{content:"";position:absolute;inset-inline-start:calc(-1rem - 1px);
        inset-block-start:calc(-.75rem - 1px);width:1rem;height:calc(50% + .75rem);border-inline-start:2px solid var(--edge);
        border-block-end:2px solid var(--edge);border-end-start-radius:.5rem}
        .join .from li:not(:last-child)::after{content:"";position:absolute;inset-inline-start:calc(-1rem - 1px);
        inset-block:calc(50% - .75rem) -1px;border-inline-start:2px solid var(--edge)}
        .join .name{font-weight:600}
        .join .name .soft{font-weight:400}
        .join .because{color:var(--soft);font-size:.8125rem;line-height:1.4}
        .join .whole{order:-1;display:flex;align-items:center;gap:.75rem;padding-block-end:.75rem}
        .join .curves{display:none}

        """

    private static let wide = """
        @media (min-width:48rem){
        .kpis{grid-template-columns:repeat(4,minmax(0,1fr))}
        .kpis>div{padding-inline:1.25rem;border-block-start:0}
        .kpis>div+div{border-inline-start:1px solid var(--line)}
        .join{grid-template-columns:minmax(0,36rem) minmax(4rem,1fr) auto;align-items:stretch}
        .join .from{grid-auto-rows:1fr}
        .join .from li{align-items:center;margin:0}
        .join .from li::before,.join .from li:not(:last-child)::after{content:none}
        .join .curves{display:block;width:100%;height:0;min-height:100%}
        .curves path{fill:none;stroke:var(--edge);stroke-width:2;vector-effect:non-scaling-stroke}
        [dir=rtl] .curves{transform:scaleX(-1)}
        .join .whole{order:0;align-self:center;max-width:16rem;padding:.75rem 1rem;border:2px solid var(--accent-text);
        border-radius:.75rem;background:var(--raised)}
        .block{padding:1.25rem}}
        @media (min-width:64rem){
        .shell{grid-template:none/14rem minmax(0,1fr)}
        .side{padding:0;border-block-end:0;border-inline-end:1px solid var(--line)}
        .side>details{display:none}
        .rail{display:flex;flex-direction:column;position:sticky;inset-block-start:0;height:100vh;overflow-y:auto;
        padding:1rem .75rem .75rem}
        .rail .site{padding:.375rem .625rem 1rem}
        .rail .self{margin-block-start:auto}
        .side nav a{min-height:2.125rem}
        .work{gap:1.25rem;padding:1.5rem 2rem 2rem}
        .grid{gap:1.25rem}
        .grid.two{grid-template-columns:minmax(0,1.65fr) minmax(0,1fr)}
        .grid.half{grid-template-columns:repeat(2,minmax(0,1fr))}}
        @media (prefers-reduced-motion:no-preference){.side nav a{transition:background-color .12s ease-out}}

        """
}
