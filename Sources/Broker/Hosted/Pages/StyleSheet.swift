/// The style sheets of the hosted pages and of the console, which share their tokens and components. System fonts, no
/// assets, nothing that moves unless the reader lets it.
///
/// Directions are logical, so that they hold for languages that are written from right to left.
enum StyleSheet {
    /// Of the hosted pages.
    static let text = shared + frame + card + sections
    /// What both begin with.
    static let shared = tokens + base + components + controls + lists

    /// The colours of light and dark surroundings, by their purpose; a test computes the contrast of each pair that is used.
    /// Sizes are written where they are used: 4, 8, 12, 16, 20, 24, 32, 40 and 64 pixels at the browser's own text size.
    private static let tokens = """
        :root{color-scheme:light dark;
        --canvas:#f6f7f9;--surface:#ffffff;--raised:#ffffff;--inset:#eff1f4;--line:#e2e5ea;--edge:#7c8490;
        --ink:#16191d;--soft:#5a626d;
        --accent:#3a55d9;--on-accent:#ffffff;--accent-hover:#2e45c8;--accent-text:#3a55d9;--accent-tint:#eaf0ff;
        --danger:#c4232b;--on-danger:#ffffff;--danger-hover:#a91a22;--danger-text:#b31d26;--danger-tint:#fdecec;\
        --danger-ink:#8f1620;
        --good-text:#1a7a43;--good-tint:#e6f5ec;--good-ink:#14603a;
        --warn-text:#8f5b00;--warn-tint:#fdf2d8;--warn-ink:#6d4500;
        --completed:#4a63dd;--failed:#d9480f;--chosen:#ffffff;
        --apple:#000000;--on-apple:#ffffff;--github:#24292f;--on-github:#ffffff;
        --low:0 1px 2px rgb(16 24 40/.06);--high:0 1px 2px rgb(16 24 40/.05),0 12px 32px -8px rgb(16 24 40/.12)}
        @media (prefers-color-scheme:dark){:root{
        --canvas:#0d0f12;--surface:#16191d;--raised:#1e2227;--inset:#21252b;--line:#2c3138;--edge:#757e8a;
        --ink:#eceef1;--soft:#a4acb7;
        --accent:#415fe3;--on-accent:#ffffff;--accent-hover:#354fd2;--accent-text:#87a5ff;--accent-tint:#202943;
        --danger:#cf2f38;--on-danger:#ffffff;--danger-hover:#b8242d;--danger-text:#ff8a87;--danger-tint:#3a1a1d;\
        --danger-ink:#ffb4b1;
        --good-text:#5fce8d;--good-tint:#12311f;--good-ink:#8be0ad;
        --warn-text:#eab54d;--warn-tint:#382a0c;--warn-ink:#f3cd80;
        --completed:#7d93f5;--failed:#f0793f;--chosen:#343a43;
        --apple:#ffffff;--on-apple:#000000;--github:#ffffff;--on-github:#24292f;
        --low:none;--high:none}}

        """

    private static let base = """
        *,*::before,*::after{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-block-start:1.5rem}
        body{margin:0;background:var(--canvas);color:var(--ink);overflow-wrap:anywhere;
        font:400 1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Apple SD Gothic Neo","Malgun Gothic","Hiragino Sans",\
        "Yu Gothic UI","Noto Sans","Noto Sans KR","Noto Sans CJK KR","Noto Sans JP","Noto Sans Arabic",sans-serif}
        :lang(ko){word-break:keep-all}
        h1,h2,h3,p,ul,ol,dl,dd,form,figure{margin:0;padding:0}
        ul,ol{list-style:none}
        h1{font-size:1.5rem;line-height:1.3;font-weight:650;letter-spacing:-.014em;text-wrap:balance}
        h2{font-size:1.0625rem;line-height:1.4;font-weight:650;letter-spacing:-.006em}
        h3{font-size:.875rem;line-height:1.4;font-weight:600}
        :lang(ar) :is(h1,h2,.lockup){letter-spacing:0}
        a{color:var(--accent-text);text-underline-offset:.18em;text-decoration-thickness:from-font}
        svg,img{display:block;flex:none}
        time{white-space:nowrap}
        code,.code{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"Noto Sans Mono",monospace;font-size:.9em;
        direction:ltr;unicode-bidi:isolate}
        .soft{color:var(--soft)}
        .small{font-size:.875rem;line-height:1.45}
        .spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        .skip{position:absolute;inset-block-start:.5rem;inset-inline-start:.5rem;z-index:1;padding:.5rem 1rem;
        border-radius:.5rem;background:var(--surface);transform:translateY(-200%)}
        .skip:focus{transform:none}
        :focus-visible{outline:3px solid var(--accent-text);outline-offset:2px;border-radius:.375rem}
        .button:focus-visible,.provider:focus-visible{border-radius:.5rem}

        """

    private static let components = """
        .icon{width:1.25rem;height:1.25rem;fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;
        stroke-linejoin:round}
        .mark{display:grid;place-items:center;flex:none;width:1.5rem}
        .mark svg{width:1.25rem;height:1.25rem}
        .letter{height:1.5rem;border-radius:.375rem;background:var(--inset);color:var(--ink);font-size:.875rem;
        font-weight:650;line-height:1}
        .tile{display:grid;place-items:center;flex:none;width:3rem;height:3rem;border-radius:.75rem;overflow:hidden;
        background:var(--inset);color:var(--ink);font-size:1.25rem;font-weight:650}
        .tile img{width:100%;height:100%;object-fit:contain}
        .tile svg{width:1.5rem;height:1.5rem}
        .tile.accent{background:var(--accent-tint);color:var(--accent-text)}
        .avatar{display:grid;place-items:center;flex:none;width:2.5rem;height:2.5rem;border-radius:50%;overflow:hidden;
        background:var(--accent-tint);color:var(--accent-text);font-weight:650}
        .avatar img{width:100%;height:100%;object-fit:cover}
        .badge{display:inline-flex;align-items:center;padding:.0625rem .5rem;border-radius:999px;
        background:var(--inset);color:var(--ink);font-size:.8125rem;line-height:1.4;font-weight:550;white-space:nowrap}
        .banner{display:flex;gap:.75rem;padding:.75rem 1rem;border-radius:.5rem;background:var(--inset);
        color:var(--ink);font-size:.9375rem;text-align:start}
        .banner a{color:inherit;font-weight:600}
        .banner .icon{margin-block-start:.125rem}
        .good{background:var(--good-tint);color:var(--good-ink)}
        .warn{background:var(--warn-tint);color:var(--warn-ink)}
        .bad{background:var(--danger-tint);color:var(--danger-ink)}
        .panel{padding:1.25rem;border:1px solid var(--line);border-radius:.75rem;background:var(--surface);
        box-shadow:var(--low)}
        .facts{display:grid;grid-template-columns:fit-content(45%) minmax(0,1fr);gap:.5rem 1.5rem;
        font-size:.875rem}
        .facts>div{display:contents}
        .facts dt{color:var(--soft)}
        @media (max-width:26rem){.facts{grid-template-columns:minmax(0,1fr);gap:.125rem}.facts dd+dt,
        .facts>div+div>dt{margin-block-start:.5rem}}

        """

    private static let controls = """
        .button{display:inline-flex;align-items:center;justify-content:center;gap:.5rem;min-height:2.5rem;
        padding:.4375rem 1rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--raised);color:var(--ink);
        font:inherit;font-size:.9375rem;font-weight:600;line-height:1.35;text-align:center;text-decoration:none;
        cursor:pointer}
        .button:hover{background:var(--inset)}
        .button .icon,.button .mark svg{width:1.125rem;height:1.125rem}
        .button .mark{width:auto;margin-block:-.25rem}
        .button .letter{min-width:1.5rem}
        .primary{border-color:transparent;background:var(--accent);color:var(--on-accent)}
        .primary:hover{background:var(--accent-hover)}
        .danger{border-color:transparent;background:var(--danger);color:var(--on-danger)}
        .danger:hover{background:var(--danger-hover)}
        .careful{color:var(--danger-text)}
        .plain{border-color:transparent;background:none;color:var(--accent-text)}
        .wide{display:flex;width:100%}
        .compact{min-height:2rem;padding:.25rem .75rem;font-size:.875rem}
        .provider{position:relative;display:flex;align-items:center;justify-content:center;width:100%;min-height:2.5rem;
        padding:.25rem 3rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--raised);color:var(--ink);
        font-size:1.0625rem;font-weight:500;line-height:1.25;text-align:center;text-decoration:none}
        .provider:hover{background:var(--inset)}
        .provider .mark{position:absolute;inset-inline-start:.875rem;inset-block-start:50%;translate:0 -50%}
        .provider.apple,.provider.apple:hover{border-color:transparent;background:var(--apple);color:var(--on-apple)}
        .provider.github,.provider.github:hover{border-color:transparent;background:var(--github);color:var(--on-github)}
        label{font-weight:600;font-size:.9375rem}
        .field{display:grid;gap:.375rem}
        .entry{width:100%;min-height:2.5rem;padding:.4375rem .75rem;border:1px solid var(--edge);border-radius:.5rem;
        background:var(--surface);color:var(--ink);font:inherit}
        .entry.user-code{min-height:3rem;font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:1.5rem;
        font-weight:600;letter-spacing:.06em;text-align:center;text-transform:uppercase;direction:ltr}
        .entry[aria-invalid]{border:2px solid var(--danger-text)}
        .problem{color:var(--danger-text);font-size:.9375rem;font-weight:600}
        .check{display:flex;gap:.75rem;align-items:flex-start;padding-block:.5rem;font-weight:400;cursor:pointer}
        .check input{flex:none;width:1.25rem;height:1.25rem;margin:.125rem 0 0;accent-color:var(--accent)}
        .choices{margin:0;padding:0;border:0;min-inline-size:0}
        .choices legend{padding:0;font-weight:600;font-size:.9375rem}
        .stack{display:grid;gap:.75rem}
        summary{cursor:pointer}
        @media (pointer:coarse){.button{min-height:2.75rem}.compact{min-height:2.25rem}
        .provider{min-height:2.75rem;font-size:1.1875rem}}
        @media (max-width:23rem){.provider{padding-inline:2.75rem .75rem;font-size:1.0625rem}}
        @media (prefers-reduced-motion:no-preference){.button,.provider,.toc a{transition:background-color .12s ease-out}}
        @media (forced-colors:active){.button,.provider,.card,.panel,.badge{border:1px solid ButtonBorder}}

        """

    private static let lists = """
        .rows>li{display:flex;align-items:center;gap:.75rem;padding-block:.875rem}
        .rows>li+li{border-block-start:1px solid var(--line)}
        .rows .about{flex:1 1 auto;min-width:0}
        .rows .about>*+*{margin-block-start:.125rem}
        .rows>li>.mark,.rows>li>.icon{align-self:flex-start;margin-block-start:.125rem}
        .rows>li>.icon{margin-inline:.125rem;color:var(--soft)}
        .rows .compact{white-space:nowrap}
        .rows .name{display:flex;flex-wrap:wrap;align-items:center;gap:.125rem .5rem;font-weight:600}
        .rows .name .soft{font-weight:400}
        .rows a.name{color:inherit;text-decoration:none}
        .rows a.name:hover{text-decoration:underline}
        .apps{flex-basis:100%;padding-inline-start:2.25rem}
        .rows:has(>li>.apps)>li{flex-wrap:wrap}
        .rows:has(>li>.apps)>li>.about{flex-basis:60%}
        .apps>li{display:flex;align-items:center;gap:.75rem;padding-block:.375rem}
        .person{display:flex;flex-wrap:wrap;align-items:center;gap:1rem}
        .person .about{flex:1 1 10rem;min-width:0}
        .person .name{font-size:1.125rem;font-weight:650}
        .person .avatar{width:3.5rem;height:3.5rem;font-size:1.25rem}
        .who{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;padding:.75rem;border:1px solid var(--line);border-radius:.75rem}
        .who .about{flex:1 1 10rem;min-width:0;line-height:1.35}
        .who .name{font-weight:600}
        .who a{font-size:.875rem}

        """

    /// What stands around the pages.
    private static let frame = """
        .hosted{min-height:100vh;min-height:100svh;display:flex;flex-direction:column;align-items:center;
        padding:1.5rem 1rem 1rem}
        .top,.frame,.foot{width:100%;max-width:25rem}
        .top{display:flex;align-items:center;justify-content:center;gap:1rem;margin-block-end:1.5rem}
        .lockup{display:inline-flex;align-items:center;gap:.625rem;color:var(--ink);font-weight:650;font-size:1.0625rem;
        letter-spacing:-.01em;text-decoration:none}
        .lockup img{width:auto;height:1.75rem;max-width:10rem}
        .toc{display:none}
        .card{padding:2rem 1.25rem 1.5rem;border:1px solid var(--line);border-radius:1rem;background:var(--surface);
        box-shadow:var(--high)}
        .foot{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;margin-block-start:auto;
        padding-block-start:1.5rem;color:var(--soft);font-size:.8125rem}
        .foot nav{margin-inline-start:auto}
        .foot ul{display:flex;flex-wrap:wrap;gap:0 1rem}
        .foot a,.foot summary,.foot .current{display:inline-flex;align-items:center;gap:.25rem;min-height:2rem;
        color:var(--soft)}
        .foot a{text-decoration:none}
        .foot a:hover{text-decoration:underline}
        .foot summary::-webkit-details-marker{display:none}
        .foot .icon{width:1rem;height:1rem}
        @media (min-width:40rem){.hosted{padding-block-start:4rem}.card{padding:2.5rem 2rem 2rem}.hosted .panel{padding:1.5rem}}
        @media (min-width:40rem) and (min-height:50rem){.hosted{padding-block-start:9vh}}

        """

    /// Pages that are one card.
    private static let card = """
        .head{display:flex;flex-direction:column;align-items:center;margin-block-end:1.5rem;text-align:center}
        .head>.tile,.head>.pairing{margin-block-end:1rem}
        .head p{margin-block-start:.5rem;color:var(--soft);text-wrap:pretty}
        .pairing{display:flex;align-items:center;gap:.75rem;color:var(--soft)}
        .card>*+*{margin-block-start:1.25rem}
        .card .facts{grid-template-columns:minmax(0,1fr);gap:.125rem}
        .card .facts dd+dt,.card .facts>div+div>dt{margin-block-start:.5rem}
        .card>.head+*{margin-block-start:0}
        .card>.head+.reference{margin-block-start:1.5rem}
        .eyebrow{margin-block-end:.5rem;color:var(--soft);font-size:.8125rem;line-height:1.4;text-align:center}
        .card>.eyebrow+*{margin-block-start:0}
        .card>.or,.or{display:flex;align-items:center;gap:.75rem;margin-block:1rem;color:var(--soft);font-size:.8125rem}
        .or::before,.or::after{content:"";flex:1;border-block-start:1px solid var(--line)}
        .card>.or+*{margin-block-start:0}
        .more>summary{list-style:none}
        .more>summary::-webkit-details-marker{display:none}
        .more[open]>summary{margin-block-end:.75rem}
        .card>.more{margin-block-start:.75rem}
        .continue{padding:1rem;border:1px solid var(--line);border-radius:.75rem}
        .continue .who{margin-block-end:1rem;padding:0;border:0}
        .receives h2{font-size:.9375rem;margin-block-end:.25rem}
        .receives .rows>li{align-items:flex-start;padding-block:.625rem}
        .receives .name{font-weight:500}
        .code{padding:.75rem;border-radius:.75rem;background:var(--inset);text-align:center;font-size:1.5rem;font-weight:650;
        letter-spacing:.08em}
        .details>summary{min-height:2rem;color:var(--soft);font-size:.875rem}
        .details .facts{margin-block-start:.5rem}
        .legal,.reference{padding-block-start:1rem;border-block-start:1px solid var(--line);color:var(--soft);
        font-size:.8125rem;line-height:1.5;text-align:center;text-wrap:pretty}
        .legal a{color:inherit}
        .reference code{display:block;margin-block-start:.25rem;color:var(--ink);font-size:.9375rem;
        user-select:all;-webkit-user-select:all}
        .reference code span+span{margin-inline-start:.45em}
        .back{margin-block-start:1rem;text-align:center}

        """

    /// Pages of several sections beside a list of them.
    private static let sections = """
        .sections{padding-block-start:1.5rem}
        .sections :is(.top,.frame,.foot){max-width:60rem}
        .sections .top{justify-content:space-between}
        .sections main{display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem}
        .panel .intro{margin-block-end:.5rem}
        .panel .intro p{margin-block-start:.25rem;color:var(--soft);font-size:.9375rem}
        .panel .footer{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .75rem;margin-block-start:.75rem;
        padding-block-start:1rem;border-block-start:1px solid var(--line)}
        .panel .footer:not(:has(*)){display:none}
        .panel .banner{margin-block-end:.75rem}
        .rows>.state-good>.icon{color:var(--good-text)}
        .rows>.state-warn>.icon{color:var(--warn-text)}
        .rows>.state-bad>.icon{color:var(--danger-text)}
        .rows .about>details>summary{min-height:2rem;color:var(--accent-text);font-size:.9375rem;font-weight:600}
        .panel>details>summary{min-height:2rem;padding-block:.25rem;color:var(--accent-text);font-size:.9375rem;
        font-weight:600}
        .act{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem 1.5rem}
        .act .intro{flex:1 1 20rem;margin:0}
        .sections pre{white-space:pre-wrap;margin:1.25rem 0;padding:.875rem;border-radius:.75rem;background:var(--inset)}
        .sections h3{margin-block:1.25rem .5rem}
        .prose>*+*{margin-block-start:.75rem}
        @media (max-width:26rem){time{white-space:normal}
        .panel .rows>li,.apps>li{flex-wrap:wrap}.panel .rows>li>.about{flex-basis:calc(100% - 2.25rem)}.apps>li>.about{flex-basis:100%}
        .panel .rows>li:has(>.mark,>.icon)>:is(form,.button){margin-inline-start:2.25rem}}
        @media (min-width:56rem){.sections{padding-block-start:2rem}
        .sections .frame:has(.toc){display:grid;grid-template-columns:11rem minmax(0,1fr);gap:2.5rem}
        .toc{display:block;position:sticky;inset-block-start:1.5rem;align-self:start;max-height:calc(100vh - 3rem);
        overflow-y:auto}
        .toc a{display:block;padding:.375rem .75rem;margin-inline-start:-.75rem;border-radius:.5rem;color:var(--soft);
        font-size:.9375rem;text-decoration:none}
        .toc a:hover{background:var(--inset);color:var(--ink)}}

        """
}
