"""How the score card looks: one sheet of A4, the trail of corrections behind it."""

STYLE = """\
@page { size: A4 portrait; margin: 11mm 12mm; }
:root { --ink: #1b1b1b; --line: #5a5a5a; --soft: #f1efe9; --queen: #b3202c; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 186mm; color: var(--ink); background: #fff;
  font: 9.5pt/1.25 "Liberation Sans", "DejaVu Sans", Arial, sans-serif;
  -webkit-print-color-adjust: exact; print-color-adjust: exact; }
h1 { margin: 0 0 2.5mm; padding-bottom: 1.5mm; font-size: 17pt; font-weight: 700;
  letter-spacing: .04em; text-transform: uppercase; text-align: center;
  border-bottom: 2.2pt double var(--line); }
h2 { display: flex; gap: 7mm; margin: 3.5mm 0 1mm; font-size: 10.5pt; }
h2 span { font-weight: 400; font-size: 9pt; }
h2 b { display: inline-block; min-width: 13mm; padding: 0 1mm;
  border-bottom: .6pt solid var(--line); }
h2 .won { margin-left: auto; }
h2 .won b { min-width: 42mm; }
dl.head { display: grid; gap: 1.2mm 6mm; margin: 0;
  grid-template-columns: minmax(0, 1fr) minmax(0, .65fr) minmax(0, 1.5fr); }
dl.head div { display: flex; gap: 2mm; align-items: flex-end; }
dl.head .wide { grid-column: span 3; }
footer dl.head .wide { grid-column: span 2; }
footer dl.head .wide:first-child, footer dl.head .full { grid-column: span 3; }
dt { white-space: nowrap; color: #444; font-size: 8.5pt; }
dd { flex: 1; min-width: 0; overflow-wrap: anywhere; margin: 0; min-height: 4.6mm; padding: 0 1mm; font-weight: 600;
  border-bottom: .6pt solid var(--line); }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th, td { height: 5.3mm; padding: 0 1.2mm; border: .6pt solid var(--line);
  text-align: center; font-variant-numeric: tabular-nums; overflow: hidden;
  white-space: nowrap; text-overflow: ellipsis; }
thead th { background: var(--soft); font-size: 8pt; font-weight: 600; height: 4.8mm; }
thead .side { font-size: 9pt; border-left-width: 1.4pt; }
.no { width: 11mm; } .by { width: 32mm; text-align: left; } .remark { width: 43mm; }
td.remark { text-align: left; font-size: 8pt; }
tbody th { font-weight: 600; background: var(--soft); }
td:nth-child(3), td:nth-child(6) { border-left-width: 1.4pt; }
td.remark { border-left-width: 1.4pt; }
.points .no { width: 9mm; } .points .by { width: 26mm; } .points .remark { width: 24mm; }
.points td { border-left-width: .6pt; }
.points .first, .points td.remark, .points .side { border-left-width: 1.4pt; }
.points th, .points td { padding: 0 .8mm; }
.total { font-weight: 600; }
.total.won { background: #e3e8da; }
td i, .key i { display: inline-block; width: 2mm; height: 2mm; margin-right: 1.2mm;
  border-radius: 50%; background: var(--queen); }
sup { font-size: 7pt; }
.game { break-inside: avoid; }
footer { margin-top: 4mm; break-inside: avoid; }
.winner { font-size: 11pt; }
.key { margin: 1.5mm 0 0; color: #555; font-size: 7.5pt; }
.signs { display: grid; grid-template-columns: repeat(var(--signs, 4), 1fr);
  gap: 6mm;
  margin-top: 8mm; text-align: center; font-size: 8pt; }
.signs span { display: block; margin-bottom: 1mm; border-bottom: .6pt solid var(--line); }
.trail { break-before: page; }
.trail table { table-layout: auto; }
.trail td, .trail th { padding: .8mm 1.5mm; text-align: left; white-space: normal;
  height: auto; font-size: 8.5pt; border-left-width: .6pt; }
@media screen { body { padding: 10mm 0; } }
"""
