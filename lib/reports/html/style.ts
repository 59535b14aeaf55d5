/** The style sheet of the page: light, dark and for paper; no fonts but those of the system. */
export const STYLE = `
:root{color-scheme:light dark;
--back:#f6f8fa;--paper:#fff;--text:#1f2328;--soft:#59636e;--line:#d1d9e0;--code:#f1f3f6;--accent:#0858c4;
--error:#c4202c;--warning:#8a5a00;--info:#0858c4;--unverifiable:#59636e;--suppressed:#59636e;--good:#1a7f37;
--error-back:#ffebe9;--warning-back:#fff6d6;--on-strong:#fff;--edge:#8c959f;
--cluster:#4056c8;--nodes:#0b7285;--template:#7048b8;--addon:#1864ab;--role:#2b7a3d;--subnets:#7a6a2f;--other:#6b7280}
@media (prefers-color-scheme:dark){:root{
--back:#0d1117;--paper:#161b22;--text:#e6edf3;--soft:#9198a1;--line:#30363d;--code:#0d1117;--accent:#6cb6ff;
--error:#ff8078;--warning:#e3b341;--info:#6cb6ff;--unverifiable:#9198a1;--suppressed:#9198a1;--good:#56d364;
--error-back:#3a1a1c;--warning-back:#322710;--on-strong:#0d1117;--edge:#6e7681;
--cluster:#8ea1ff;--nodes:#4cc4d6;--template:#b99aff;--addon:#79b8ff;--role:#6fcf83;--subnets:#d0bd6c;--other:#9198a1}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;scroll-padding-top:16px}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--back);color:var(--text);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
main,.top{max-width:1240px;margin:0 auto;padding:0 24px}
.top{padding-top:28px}
h1{font-size:26px;line-height:1.25;margin:0 0 4px}
h2{font-size:20px;margin:40px 0 12px}
h3{font-size:15px;margin:28px 0 10px;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-weight:600;color:var(--soft)}
h4{font-size:16px;margin:0}
p{margin:6px 0}
a{color:var(--accent)}
a:focus-visible,summary:focus-visible,.canvas:focus-visible,input:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
code,pre,.place{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:12.5px}
code{background:var(--code);border:1px solid var(--line);border-radius:4px;padding:0 4px}
pre{margin:8px 0;padding:10px 12px;background:var(--code);border:1px solid var(--line);border-radius:6px;overflow-x:auto;line-height:1.5;overflow-wrap:normal}
.soft{color:var(--soft)}
.panel{background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:16px 20px;margin:12px 0}
.verdict{font-size:16px;margin:0}
.tiles{display:flex;flex-wrap:wrap;gap:12px;margin:20px 0 12px;padding:0;list-style:none}
.tiles li{flex:1 1 130px;background:var(--paper);border:1px solid var(--line);border-top:4px solid var(--tile);border-radius:10px;padding:10px 16px}
.tiles a{color:inherit;text-decoration:none;display:block}
.tiles b{display:block;font-size:28px;line-height:1.2;color:var(--tile)}
.tiles .none{--tile:var(--line)}
.tiles .none b{color:var(--soft)}
.error{--tile:var(--error)}.warning{--tile:var(--warning)}.info{--tile:var(--info)}.unverifiable{--tile:var(--unverifiable)}.suppressed{--tile:var(--suppressed)}
table{border-collapse:collapse;width:100%;font-size:14px}
th{white-space:nowrap;text-align:left;font-weight:600;color:var(--soft);font-size:12.5px}
th,td{padding:6px 12px 6px 0;border-bottom:1px solid var(--line);vertical-align:top}
tr:last-child td{border-bottom:0}
.rules td:nth-child(2){overflow-wrap:normal}
@media (min-width:900px){.rules td:nth-child(2){white-space:nowrap}}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
.label{display:inline-block;background:var(--tile);color:var(--on-strong);border-radius:9px;padding:0 9px;font-size:12px;font-weight:600;line-height:19px;white-space:nowrap}
.label.hollow{background:none;color:var(--tile);box-shadow:inset 0 0 0 1px var(--tile)}
.alert{border-left:5px solid var(--error);background:var(--error-back)}
.alert.doubt{border-left-color:var(--warning);background:var(--warning-back)}
.todo,.short{list-style:none;margin:12px 0;padding:0}
.entry{background:var(--paper);border:1px solid var(--line);border-left:4px solid var(--tile);border-radius:10px;margin:12px 0;padding:12px 20px;content-visibility:auto;contain-intrinsic-size:auto 260px}
.entry>header>.soft{font-weight:600}
.entry>header,.short header{display:flex;flex-wrap:wrap;gap:2px 10px;align-items:baseline}
.entry h3{margin:0;font:inherit;font-weight:600;font-size:16px;color:var(--text)}
.apart{margin:28px 0 0;font-family:inherit}
.times,.repair{color:var(--tile);font-weight:600;font-size:13px}
.rule{font-size:14px}
.where{font-size:13.5px}
.whole{overflow-wrap:anywhere}
.place{color:var(--soft)}
.also{margin:8px 0 0;color:var(--soft)}
.same{margin:2px 0 8px;padding-left:20px;font-size:14px}
.same .place,.where .place{margin-left:6px}
.short>li{padding:8px 0 8px 12px;border-left:3px solid var(--tile);margin:8px 0}
.short p{margin:2px 0}
.finding:target,li:target,.same :target{background:var(--warning-back)}
.permalink{text-decoration:none;color:var(--soft);font-weight:400}
.code{user-select:all}
.wide{overflow-x:auto}
.frame .number{display:inline-block;min-width:4ch;padding-right:14px;text-align:right;color:var(--soft);user-select:none}
.frame .hit{display:block;margin:0 -12px;padding:0 12px;background:color-mix(in srgb,var(--tile) 14%,transparent);box-shadow:inset 3px 0 var(--tile)}
.frame mark{background:none;color:inherit;font-weight:700;text-decoration:underline wavy var(--tile);text-underline-offset:3px}
.fix{margin-top:8px}
.fix b,.why b{color:var(--good)}
.why b{color:var(--soft)}
.related,.plain{margin:6px 0;padding-left:20px}
details{margin:12px 0}
summary{cursor:pointer;font-weight:600}
.filters{display:flex;flex-wrap:wrap;gap:6px 18px;margin:0 0 4px;padding:0;border:0;font-size:14px}
.filters legend{float:left;padding:0;margin-right:18px;color:var(--soft)}
body:has(#show-error:not(:checked)) .entry.error:not(:target,:has(:target)),body:has(#show-warning:not(:checked)) .entry.warning:not(:target,:has(:target)),body:has(#show-info:not(:checked)) .entry.info:not(:target,:has(:target)){display:none}
.canvas{overflow-x:auto;background:var(--paper);border:1px solid var(--line);border-radius:10px}
.drawing{display:block;margin:0 auto;max-width:none;font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
.drawing text{fill:var(--text)}
.drawing .column{font-size:13px;font-weight:600;fill:var(--soft)}
.drawing .box{fill:var(--back);stroke:var(--line)}
.drawing .box.outside{stroke-dasharray:5 4}
.drawing .heading{font-size:11.5px;font-weight:600;fill:var(--soft)}
.drawing .body{fill:var(--paper);stroke:var(--line)}
.drawing .card.head>.body{fill:color-mix(in srgb,var(--kind) 9%,var(--paper));stroke:color-mix(in srgb,var(--kind) 45%,var(--line))}
.drawing .outside>.body{stroke-dasharray:5 4}
.drawing .error>.body{stroke:var(--error);stroke-width:1.6}
.drawing .warning>.body{stroke:var(--warning);stroke-width:1.6}
.drawing .stripe{fill:var(--kind)}
.drawing .type{font-size:11px;fill:var(--kind);font-weight:600}
.drawing .title{font-size:14px;font-weight:600}
.drawing .head .title{font-size:15.5px}
.drawing .line{font-size:12px;fill:var(--soft)}
.drawing .dot{fill:var(--kind)}
.drawing .more>.body{fill:none;stroke-dasharray:2 3}
.drawing .edge{fill:none;stroke:var(--edge);stroke-width:1.4;opacity:.75}
.drawing .end{fill:var(--edge);stroke:none}
.drawing .pill{fill:var(--tile)}
.drawing .pill-text{font-size:11px;font-weight:600;fill:var(--on-strong)}
.drawing .unverifiable .pill{fill:none;stroke:var(--tile)}
.drawing .unverifiable .pill-text{fill:var(--tile)}
.drawing a:focus-visible .pill,.drawing a:hover .pill{stroke:var(--text);stroke-width:2}
.drawing a:hover .title,.drawing a:hover .line{text-decoration:underline}
.cluster{--kind:var(--cluster)}.nodes{--kind:var(--nodes)}.template{--kind:var(--template)}.addon{--kind:var(--addon)}.role{--kind:var(--role)}.subnets{--kind:var(--subnets)}.other,.more{--kind:var(--other)}
footer{max-width:1240px;margin:40px auto 24px;padding:0 24px;color:var(--soft);font-size:13px}
@media screen and (max-width:700px){
main,.top,footer{padding-left:12px;padding-right:12px}
.tiles{gap:8px}.tiles li{flex-basis:90px;padding:6px 10px}.tiles b{font-size:22px}
.entry,.panel{padding:10px 12px}
.entry h3{flex-basis:100%}
td,th{min-width:90px}
.canvas{display:none}
.as-text::details-content{content-visibility:visible;display:block;block-size:auto}
}
@page{margin:11mm}
@media print{
:root{--back:#fff;--paper:#fff;--text:#000;--soft:#444;--line:#bbb;--code:#fff;--accent:#000;--error:#b00018;--warning:#7a4d00;--info:#0645ad;--unverifiable:#444;--suppressed:#444;--good:#145c27;--error-back:#fff;--warning-back:#fff;--on-strong:#fff;--edge:#666;
--cluster:#4056c8;--nodes:#0b7285;--template:#7048b8;--addon:#1864ab;--role:#2b7a3d;--subnets:#7a6a2f;--other:#6b7280}
html{color-scheme:light}
body{font-size:8.5pt;line-height:1.35;print-color-adjust:exact;-webkit-print-color-adjust:exact}
main,.top,footer{max-width:none;padding:0}
h1{font-size:16pt}h2{font-size:12pt;margin:10px 0 4px}
.filters,.permalink,.canvas.tall,.canvas:not(.tall)+.as-text{display:none}
.tiles{margin:8px 0;gap:8px}.tiles li{padding:3px 10px}.tiles b{font-size:14pt}
.canvas{overflow:visible;border:0;break-inside:avoid}
.drawing{width:auto;height:auto;max-width:100%;max-height:10.5cm}
.entry{margin:6px 0;padding:6px 12px;border-radius:6px;content-visibility:visible}
.entry h3{font-size:9.5pt}
.entry p,.panel,.short>li{margin-top:2px;margin-bottom:2px}
.entry header,h2,h3,.fix{break-after:avoid}
.frame,.tiles li,tr{break-inside:avoid}
code,pre,.place{font-size:7pt}
pre{white-space:pre-wrap;overflow:visible;overflow-wrap:anywhere;margin:3px 0;padding:3px 8px;line-height:1.3}
.where,.same,.related,.rule,.times,.repair,table{font-size:8pt}
.same,.related{margin:2px 0}li{margin:0}
#unverifiable .short .soft{display:none}
.short{margin:2px 0}.short>li{padding:1px 0 1px 10px;margin:3px 0}details{margin:4px 0}
.label{font-size:8pt;line-height:13px}
.frame .hit{margin:0;padding:0}
.panel{padding:6px 12px}th,td{padding:2px 8px 2px 0}
details:not(.cause)::details-content{content-visibility:visible;display:block;block-size:auto}
footer{margin:12px 0 0}
}
`;
