/// How pages look: light and dark by the reader's choice, on paper too.
///
/// The colours are those of M. Okabe and K. Ito, "Color Universal Design" (2008), which people tell apart
/// whatever colours they see; text keeps a contrast of 4.5 to 1 with what is behind it.
package enum PageStyle {
    /// The style sheet.
    package static let text = """
        :root{--paper:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--shade:#f3f5f7;--link:#0550ae;
        --good:#007a57;--bad:#b34700;--busy:#8a5f00;--goodband:#5cc2a4;--badband:#e58a4f;--busyband:#efc35a;
        --speech:#56b4e9;--neutral:#b8c0c8;--curve:#0072b2;--other:#a3477c;--heat:86,180,233}
        @media(prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--soft:#9ba5af;--line:#30363d;
        --shade:#161b22;--link:#79b8ff;--good:#4cc7a1;--bad:#f0935a;--busy:#e6b84a;--goodband:#1f7a5f;
        --badband:#a9521c;--busyband:#8a6a14;--speech:#2b78a8;--neutral:#545d68;--curve:#56b4e9;
        --other:#e093bd;--heat:0,114,178}}
        *{box-sizing:border-box}
        body{margin:0 auto;padding:1rem;max-width:68rem;background:var(--paper);color:var(--ink);
        font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
        h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.25rem;margin:2rem 0 .5rem}
        h3,h4{overflow-wrap:anywhere}h3{font-size:1.1rem;margin:0 0 .25rem}h4,h5{font-size:1rem;margin:1rem 0 .25rem}
        p{margin:.25rem 0}a{color:var(--link)}
        .verdict{font-size:1.15rem;font-weight:600;padding:.5rem .75rem;border-left:.4rem solid;
        overflow-wrap:anywhere}
        .pass{color:var(--good)}.fail,.no-data{color:var(--bad)}.warn,.undecided{color:var(--busy)}
        .verdict.pass,.verdict.undecided,.verdict.fail{background:var(--shade)}
        .soft,.finding,footer{color:var(--soft)}
        .finding{font-size:.9rem}
        .scenario{border-top:1px solid var(--line)}.scenario>p,.scenario>summary{overflow-wrap:anywhere}
        .scenario[open]{padding-bottom:1rem}section.scenario{margin-top:1.5rem;padding-top:1rem}
        article.miss{background:var(--shade);padding:.5rem .75rem;margin:.5rem 0;overflow-wrap:anywhere}
        ol.told{list-style:none;margin:.5rem 0;padding-left:.75rem;border-left:2px solid var(--line);font-size:.9rem}
        ol.told span{font-variant-numeric:tabular-nums}
        .tones{font-size:.85rem;color:var(--soft)}.tone,.range label{white-space:nowrap}.tone::before{content:"";display:inline-block;width:1.2em;height:.8em;
        margin:0 .4em 0 .8em;background:var(--neutral)}.tone.good::before{background:var(--goodband)}
        .tone.busy::before{background:var(--busyband)}.tone.bad::before{background:var(--badband)}
        .tone.speech::before{background:var(--speech)}
        .command{display:flex;gap:.5rem;align-items:start;margin:.25rem 0}
        code{font:.85rem/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
        button,input{font:inherit;font-size:.85rem;color:inherit;background:var(--paper);
        border:1px solid var(--soft);border-radius:.25rem;padding:.1rem .5rem}
        button{cursor:pointer;flex:none}input{width:7rem}
        :focus-visible{outline:2px solid var(--link);outline-offset:2px}
        .wide{overflow-x:auto;max-width:100%;background:
        linear-gradient(90deg,var(--paper) 40%,transparent) 0/2.5rem 100% no-repeat local,
        linear-gradient(270deg,var(--paper) 40%,transparent) 100%/2.5rem 100% no-repeat local,
        linear-gradient(90deg,var(--neutral),transparent) 0/.6rem 100% no-repeat,
        linear-gradient(270deg,var(--neutral),transparent) 100%/.6rem 100% no-repeat}
        table{border-collapse:collapse;font-size:.9rem;margin:.25rem 0}
        caption{text-align:left;color:var(--soft);font-size:.85rem;padding:.25rem 0}
        th,td{padding:.15rem .6rem .15rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
        th{font-weight:600}tbody th{font-weight:400}
        .number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap;padding-left:.6rem}
        .records td,.records th{font:.8rem/1.35 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
        figure{margin:1rem 0}figcaption{font-size:.9rem}
        svg{display:block;width:100%;height:auto}
        svg.picture{max-width:44rem}svg.lanes{min-width:48rem}
        svg text{font:11px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:var(--soft)}
        svg .start{text-anchor:start}svg .middle{text-anchor:middle}svg .end{text-anchor:end}
        svg .on,svg .lane{fill:var(--ink)}svg .lane{font-weight:600}svg .in{fill:var(--ink);font-size:10px}
        .grid{fill:none;stroke:var(--line)}
        .curve{fill:none;stroke:var(--curve);stroke-width:2}.curve.b{stroke:var(--other);stroke-dasharray:6 3}
        .limit{fill:none;stroke:var(--good);stroke-width:1.5;stroke-dasharray:2 3}
        .limit.missed{stroke:var(--bad);stroke-dasharray:none;stroke-width:2}
        .dot{fill:var(--curve)}.cross{fill:none;stroke:var(--bad);stroke-width:1.5}.bar{fill:var(--curve)}
        .multiples{display:grid;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));gap:.75rem}
        .multiples figure{margin:0}
        .part{stroke:var(--paper);stroke-width:1}
        .p0{fill:#0072b2}.p1{fill:#e69f00}.p2{fill:#cc79a7}.p3{fill:#d55e00}.p4{fill:#009e73}
        .p5{fill:#56b4e9}.p6{fill:#f0e442}.p7{fill:#7f7f7f}.p8{fill:#8c6bb1}.p9{fill:#a6761d}
        .key::before{content:"";display:inline-block;width:.8em;height:.8em;margin-right:.4em;background:#7f7f7f}
        .key.p0::before{background:#0072b2}.key.p1::before{background:#e69f00}
        .key.p2::before{background:#cc79a7}.key.p3::before{background:#d55e00}
        .key.p4::before{background:#009e73}.key.p5::before{background:#56b4e9}
        .key.p6::before{background:#f0e442}.key.p7::before{background:#7f7f7f}
        .key.p8::before{background:#8c6bb1}.key.p9::before{background:#a6761d}
        .h0{background:rgba(var(--heat),.05)}.h1{background:rgba(var(--heat),.15)}
        .h2{background:rgba(var(--heat),.25)}.h3{background:rgba(var(--heat),.35)}
        .h4{background:rgba(var(--heat),.45)}
        .lanes .good{fill:var(--goodband)}.lanes .bad{fill:var(--badband)}.lanes .busy{fill:var(--busyband)}
        .lanes .speech{fill:var(--speech)}.lanes .neutral{fill:var(--neutral)}.lanes .count{fill:var(--neutral)}
        .lanes .mark{fill:var(--ink)}.lanes .tick,.lanes .grid-line{fill:var(--line)}
        .lanes rect.bad{stroke:var(--ink);stroke-width:1;vector-effect:non-scaling-stroke}
        .plot{cursor:crosshair;touch-action:pan-y}
        .range{display:flex;flex-wrap:wrap;gap:.5rem;margin:.5rem 0;font-size:.9rem}[hidden]{display:none}
        summary{cursor:pointer;padding:.25rem 0}summary h2,summary h3{display:inline;font-size:1rem;margin:0}
        @media(max-width:40rem){svg.picture text{font-size:16px}.multiples svg.picture text,svg.bars text{font-size:12px}
        .range input,input.filter{width:100%}
        .wide table:has(td:nth-child(6):not(.number)){min-width:64rem}}
        @media print{button,.range,input.filter{display:none}body{max-width:none}.wide{overflow:visible;background:none}
        svg.lanes{min-width:0}
        table{font-size:.7rem}td,th{overflow-wrap:anywhere}tr>:first-child{overflow-wrap:normal}
        h2,h3,h4,caption{break-after:avoid}figure,tr,svg{break-inside:avoid}}

        """
}
