// SPDX-License-Identifier: MIT
#include "bellwether/report/figures/figure.hpp"
#include "bellwether/report/page/page_parts.hpp"

namespace bellwether::report {

std::string page_style() {
  // The colours of the figures are those of the page.
  return figure_style() + R"(:root{color-scheme:light dark}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,
"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans","DejaVu Sans",sans-serif}
main{max-width:50rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .75rem;letter-spacing:-.01em}
h2{font-size:1.25rem;line-height:1.3;margin:2.75rem 0 .75rem;padding-top:.75rem;
border-top:1px solid var(--rule)}
h3{font-size:1rem;line-height:1.4;margin:0 0 .35rem}
p,ul,dl{margin:.5rem 0;max-width:42rem}
.about{font-size:1.0625rem;white-space:pre-line}
.quiet{color:var(--quiet);font-size:.9rem}
a{color:inherit}
code,pre{font:.85em/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
code{overflow-wrap:anywhere}
pre{margin:.5rem 0;padding:.8rem 1rem;overflow-x:auto;background:var(--wash);border-radius:6px}
.facts{display:flex;flex-wrap:wrap;gap:.5rem 2rem;margin:1.25rem 0 0;padding:0;max-width:none}
.facts div{min-width:4.5rem}
.facts dt{font-size:.8rem;color:var(--quiet)}
.facts dd{margin:0;font-size:1.2rem;font-weight:600;font-variant-numeric:tabular-nums}
.warn{border-left:4px solid var(--c1);padding:.4rem .9rem;background:var(--wash)}
figure{margin:2rem 0 2.5rem}
figcaption{font-size:.9rem;color:var(--quiet);margin-top:.4rem;max-width:42rem}
figcaption p{margin:.15rem 0}
figcaption .note{color:var(--ink)}
svg.fig{display:block;width:100%;height:auto;overflow:visible}
.on-phone{display:none}
.box{overflow-x:auto;margin:.75rem 0;-webkit-overflow-scrolling:touch}
table{border-collapse:collapse;font-size:.875rem;line-height:1.4;
font-variant-numeric:tabular-nums lining-nums}
th,td{padding:.35rem .9rem .35rem 0;text-align:left;vertical-align:top;
border-bottom:1px solid var(--rule)}
th{font-weight:600;vertical-align:bottom}
thead th{border-bottom:1px solid var(--quiet)}
.n{text-align:right;white-space:nowrap}
td.label{white-space:nowrap}
th.n{white-space:normal;min-width:6.5rem}
th .unit{font-weight:400;color:var(--quiet)}
th.count,.findings th.n{min-width:0}
.what{min-width:15rem}
tr.new td{border-top:2px solid var(--rule)}
details{margin:.75rem 0;border-top:1px solid var(--rule)}
details+details{margin-top:-.25rem}
summary{cursor:pointer;padding:.55rem 0;font-weight:600}
.verdict{font-weight:600;white-space:nowrap}
.v0{color:var(--good)}.v1{color:var(--fair)}.v2{color:var(--bad)}.v3{color:var(--quiet)}
:root{--wash:#f5f6f7;--good:#00734f;--fair:#8a5a00;--bad:#b03a00}
@media screen and (prefers-color-scheme:dark){
:root{--wash:#1e2227;--good:#3ccf9f;--fair:#f0b429;--bad:#ff8f57}}
@media screen and (max-width:600px){
main{padding:1.5rem 1rem 3rem}h1{font-size:1.5rem}
.what{min-width:10rem}.on-desk{display:none}.on-phone{display:block}}
@media print{
body{font-size:10.5pt}main{max-width:none;padding:0}
figure,tr{break-inside:avoid}h2,h3{break-after:avoid}
.box,pre{overflow:visible}pre{white-space:pre-wrap}
summary{list-style:none}
details::details-content{content-visibility:visible;display:block;height:auto}}
)";
}

}  // namespace bellwether::report
