/// The one style sheet of all pages. System fonts, no assets, nothing that moves unless the reader lets it.
enum StyleSheet {
    static let text = """
        :root{color-scheme:light dark;\(Palette.light.declarations)}
        @media (prefers-color-scheme:dark){:root{\(Palette.dark.declarations)}}
        """ + frame + content + controls + providers + lists

    private static let frame = """

        *,*::before,*::after{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
        body{margin:0;background:var(--background);color:var(--text);
        font:400 1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Apple SD Gothic Neo","Malgun Gothic",
        "Noto Sans KR","Noto Sans CJK KR",sans-serif;overflow-wrap:anywhere;word-break:keep-all}
        .page{min-height:100vh;min-height:100svh;display:flex;flex-direction:column;align-items:center;
        padding:1.5rem 1rem}
        header,main,footer{width:100%;max-width:27.5rem}
        .account header,.account main,.account footer{max-width:42rem}
        .operations main{max-width:60rem}
        header{padding:0 .25rem 1rem;text-align:center}
        .site{margin:0;font-size:1.0625rem;font-weight:650;letter-spacing:-.01em}
        main{background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:1.75rem 1.25rem;
        box-shadow:0 1px 2px rgb(0 0 0/.04),0 8px 24px rgb(0 0 0/.05)}
        footer{padding:1rem .25rem 0;text-align:center;color:var(--soft);font-size:.875rem}
        footer ul{list-style:none;margin:0;padding:0;display:flex;justify-content:center;gap:.25rem}
        footer a,footer .current{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 .75rem}
        footer .current{color:var(--text);font-weight:600}
        @media (min-width:40rem){.page{padding:4rem 1.5rem 2rem}main{padding:2.5rem 2.25rem}}

        """

    private static let content = """
        h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.3;font-weight:680;letter-spacing:-.015em;text-wrap:balance}
        h2{margin:0 0 .75rem;font-size:1.0625rem;line-height:1.4;font-weight:650}
        p{margin:0 0 1rem}
        .soft{color:var(--soft)}
        .small{font-size:.875rem}
        a{color:var(--accent);text-underline-offset:.15em}
        .stack{display:grid;gap:.75rem;margin:1.5rem 0 0;padding:0;list-style:none}
        .stack .stack,.rows .inline{margin:0}
        .symbol{display:flex;align-items:center;justify-content:center;width:3rem;height:3rem;margin:0 0 1rem;
        border-radius:50%;font-size:1.375rem;font-weight:700}
        .notice{display:flex;gap:.75rem;margin:1rem 0 1.25rem;padding:.875rem 1rem;border-radius:.75rem}
        .notice p{margin:0}
        .sign{flex:none;font-weight:700}
        .good{background:var(--good);color:var(--onGood)}
        .warning{background:var(--warning);color:var(--onWarning)}
        .remark{background:var(--remark);color:var(--onRemark)}
        .facts{margin:1.25rem 0;border-top:1px solid var(--line)}
        .facts div{padding:.75rem 0;border-bottom:1px solid var(--line)}
        dt{color:var(--soft);font-size:.875rem}
        dd{margin:0;font-weight:600}
        .code{margin:1.25rem 0;padding:.875rem;border-radius:.75rem;background:var(--background);text-align:center;
        font:650 1.625rem/1.3 ui-monospace,"SF Mono",Menlo,Consolas,monospace;letter-spacing:.08em}
        .operations dd{font-weight:400}
        h3{margin:1.25rem 0 0;font-size:.9375rem}
        pre{overflow-x:auto;margin:1.25rem 0;padding:.875rem;border-radius:.75rem;background:var(--background)}
        code{font-family:ui-monospace,"SF Mono",Menlo,Consolas,monospace;font-size:.875rem}
        .reference{margin:1.5rem 0 0;padding-top:1rem;border-top:1px solid var(--line)}
        .spoken{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}

        """

    private static let controls = """
        form{margin:0}
        .button{display:flex;align-items:center;justify-content:center;width:100%;min-height:2.75rem;
        padding:.5rem 1rem;border:1px solid transparent;border-radius:.625rem;background:none;color:inherit;
        font:inherit;font-weight:600;line-height:1.35;text-align:center;text-decoration:none;cursor:pointer}
        .primary{background:var(--accent);color:var(--onAccent)}
        .dangerous{background:var(--danger);color:var(--onDanger)}
        .quiet{border-color:var(--edge);color:var(--text)}
        .careful{border-color:var(--edge);color:var(--danger)}
        .plain{color:var(--accent)}
        .button:hover{filter:brightness(.94)}
        .plain:hover{text-decoration:underline}
        @media (prefers-color-scheme:dark){.button:hover{filter:brightness(1.12)}}
        :focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.375rem}
        .button:focus-visible,.provider:focus-visible{border-radius:.625rem}
        label{display:block;margin:0 0 .375rem;font-weight:600}
        .entry{width:100%;min-height:3rem;padding:.5rem .875rem;border:1px solid var(--edge);border-radius:.625rem;
        background:var(--card);color:var(--text);font:600 1.375rem/1.4 ui-monospace,"SF Mono",Menlo,Consolas,monospace;
        letter-spacing:.06em;text-transform:uppercase}
        .entry[aria-invalid]{border:2px solid var(--danger)}
        .hint{margin:.375rem 0 0}
        .problem{margin:.5rem 0 0;color:var(--danger);font-weight:600}
        .alternative{margin:.75rem 0 0}
        .check{display:flex;gap:.75rem;align-items:flex-start;min-height:2.75rem;margin:1.25rem 0 0;padding:.5rem 0;
        font-weight:400;cursor:pointer}
        .check input{flex:none;width:1.375rem;height:1.375rem;margin:.0625rem 0 0;accent-color:var(--accent)}
        @media (prefers-reduced-motion:no-preference){.button,.provider{transition:filter .12s ease-out}}
        @media (forced-colors:active){.button,.provider,main{border:1px solid ButtonBorder}}

        """

    private static let providers = """
        .provider{display:flex;align-items:center;gap:.875rem;width:100%;min-height:2.75rem;padding:.375rem 1rem;
        border:1px solid transparent;border-radius:.625rem;font-size:1.1875rem;font-weight:500;line-height:1.25;
        text-decoration:none}
        .provider:hover{filter:brightness(.94)}
        @media (prefers-color-scheme:dark){.provider:hover{filter:brightness(1.12)}}
        .mark{flex:none;display:flex;align-items:center;justify-content:center;width:1.5rem;height:1.5rem}
        .mark svg{display:block;width:1.375rem;height:1.375rem}
        .letter{border-radius:.375rem;background:var(--letter);color:var(--onLetter);font-size:.9375rem;font-weight:700;
        line-height:1}
        .provider.apple{background:var(--apple);color:var(--onApple)}
        .provider.github{background:var(--gitHub);color:var(--onGitHub)}
        .provider.gitlab,.provider.onepass,.provider.neutral{background:var(--neutral);color:var(--onNeutral);
        border-color:var(--edge)}

        """

    private static let lists = """
        section{margin:2rem 0 0;padding-top:1.75rem;border-top:1px solid var(--line)}
        .rows{list-style:none;margin:0;padding:0}
        .rows>li{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .875rem;padding:.75rem 0}
        .rows>li+li{border-top:1px solid var(--line)}
        .rows .about{flex:1 1 8rem;min-width:0}
        time{display:inline-block}
        .rows p{margin:0}
        .rows .name{font-weight:600}
        .rows .button{width:auto;padding-left:.75rem;padding-right:.75rem;font-size:.9375rem}
        .rows form{margin-left:auto}
        .apps{flex-basis:100%;list-style:none;margin:0;padding:0 0 0 .875rem;border-left:2px solid var(--line)}
        .apps>li{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .875rem;padding:.375rem 0}
        summary{display:flex;align-items:center;min-height:2.75rem;color:var(--accent);font-weight:600;cursor:pointer}
        summary::before{content:"+";width:1.25rem}
        details[open]>summary::before{content:"–"}
        .badge{display:inline-block;padding:.0625rem .5rem;border-radius:1rem;font-size:.8125rem;font-weight:600}
        .person{display:flex;align-items:center;gap:1rem;margin:1.25rem 0 0}
        .person p{margin:0}
        .person>div{min-width:0}
        .person .name{font-size:1.125rem;font-weight:650}
        .monogram{flex:none;display:flex;align-items:center;justify-content:center;width:3.25rem;height:3.25rem;
        border-radius:50%;background:var(--remark);color:var(--onRemark);font-size:1.25rem;font-weight:650}
        .continue{margin:1.5rem 0;padding:1rem;border:1px solid var(--line);border-radius:.75rem}
        .continue .person{margin:0 0 1rem}
        .or{display:flex;align-items:center;gap:.875rem;margin:1.5rem 0 0;color:var(--soft);font-size:.875rem}
        .or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}

        """
}
