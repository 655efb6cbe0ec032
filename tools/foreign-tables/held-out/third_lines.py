"""Third set: JSON lines of warehouses, databases and shippers of logs, and HTML that is called .xls."""


def n(name, template, count=12, **more):
    return ('ndjson', name, template, count, more)


def h(name, template, count=12, **more):
    return ('html', name, template, count, more)


LINES = [
    n('bigquery-export', '⟦{"sku":"«code»","name":"«name»","stock":{"qty":"«stock»","site":"HH"},"tags":["«colour»","x"]}⟧', 20, soft=('colour',)),
    n('snowflake-unload', '⟦{"SKU":"«code»","QTY":«stock»,"PRICE":«price»,"UPDATED":"«day» 10:00:00.000"}⟧', 20, empty=('day',)),
    n('shopify-bulk-orders', '⟦{"id":"gid:\\/\\/shopify\\/Product\\/«id»","title":"«name»","vendor":"«maker»"}\n⟪{"id":"gid:\\/\\/shopify\\/ProductVariant\\/«-v.id»","sku":"«v.code»","inventoryQuantity":«v.stock»,"__parentId":"gid:\\/\\/shopify\\/Product\\/«-id»"}⟫⟧', 10, join='\n', empty=('id',)),
    n('elastic-bulk', '⟦{"index":{"_index":"items","_id":"«id»"}}\n{"sku":"«code»","name":"«name»","qty":«stock»}⟧', 15, empty=('id',)),
    n('elastic-bulk-create', '⟦{"create":{}}\n{"sku":"«code»","qty":«stock»}⟧', 15),
    n('singer', '{"type":"SCHEMA","stream":"items","schema":{"type":"object","properties":{"sku":{"type":"string"}}},"key_properties":["sku"]}\n⟦{"type":"RECORD","stream":"items","record":{"sku":"«code»","name":"«name»","qty":«stock»},"time_extracted":"2026-11-20T10:00:00Z"}⟧\n{"type":"STATE","value":{"bookmarks":{"items":{"x":1}}}}', 15),
    n('airbyte-file', '⟦{"_airbyte_ab_id":"«-uid»","_airbyte_emitted_at":1700000000000,"_airbyte_data":{"sku":"«code»","name":"«name»","qty":«stock»}}⟧', 15),
    n('airbyte-protocol', '⟦{"type":"RECORD","record":{"stream":"items","data":{"sku":"«code»","qty":«stock»},"emitted_at":1700000000000}}⟧\n{"type":"STATE","state":{"data":{}}}', 15),
    n('neo4j-apoc', '⟦{"type":"node","id":"«-at»","labels":["Item"],"properties":{"sku":"«code»","name":"«name»","qty":«stock»}}⟧', 14),
    n('filebeat', '⟦{"@timestamp":"2026-11-20T10:00:00.000Z","@metadata":{"beat":"filebeat","version":"8.1"},"host":{"name":"a"},"json":{"sku":"«code»","qty":«stock»}}⟧', 14),
    n('gcp-log', '⟦{"insertId":"«-uid»","jsonPayload":{"sku":"«code»","qty":«stock»},"resource":{"type":"global","labels":{"project_id":"p"}},"timestamp":"2026-11-20T10:00:00Z"}⟧', 12),
    n('docker-log', '⟦{"log":"{\\"sku\\":\\"«at»\\"}\\n","stream":"stdout","time":"2026-11-20T10:00:00Z"}⟧', 12, may=True, empty=('at',)),
    n('maxwell', '⟦{"database":"shop","table":"items","type":"insert","ts":1700000000,"xid":1,"commit":true,"data":{"sku":"«code»","name":"«name»","qty":«stock»}}⟧', 14),
    n('arango', '⟦{"_key":"«id»","_id":"items/«-id»","_rev":"_a","sku":"«code»","qty":«stock»}⟧', 14),
    n('mongo-decimal', '⟦{"_id":{"$oid":"5f«-id»aa"},"sku":"«code»","price":{"$numberDecimal":"«price»"},"qty":{"$numberInt":"«stock»"}}⟧', 14),
    n('clickhouse-eachrow', '⟦{"sku":"«code»","name":"«name»","qty":"«stock»","note":«?note»}⟧', 20, end='\r\n'),
    n('clickhouse-compact-names', '["sku","name","qty"]\n["String","String","UInt64"]\n⟦["«code»","«name»","«stock»"]⟧', 14, may=True),
    n('jq-arrays-head', '["sku","name","qty"]\n⟦["«code»","«name»",«stock»]⟧', 14),
    n('spark', '⟦{"sku":"«code»","dims":{"l":1.0,"w":«mass»},"name":"«name»"}⟧', 14, last=False),
    n('bom-crlf', '⟦{"artikel":"«code»","menge":«stock»}⟧', 14, bom=b'\xef\xbb\xbf', end='\r\n'),
    n('cbexport', '⟦{"type":"item","sku":"«code»","qty":«stock»,"variants":[⟪{"size":"«v.size»","ean":"«v.ean»"}⟫]}⟧', 9),
    n('rejson-dump', '⟦{"key":"item:«-id»","ttl":-1,"value":{"sku":"«code»","qty":«stock»}}⟧', 12),
    n('stripe-list-lines', '{"object":"list","data":[⟦{"id":"prod_«id»","object":"product","name":"«name»","metadata":{"sku":"«code»"}}⟧],"has_more":false}', 9, join=',', empty=('id',)),
    n('kinds-mixed', '⟦{"kind":"price","sku":"«code»","price":«price»}\n{"kind":"stock","sku":"«-code»","qty":«stock»}⟧', 9, may=True),
]


def page(body, head='<meta charset="utf-8">', attrs=''):
    return f'<html{attrs}><head>{head}</head><body>{body}</body></html>'


def row(*cells, tag='td', attrs=''):
    return '<tr>' + ''.join(f'<{tag}{attrs}>{c}</{tag}>' for c in cells) + '</tr>'


R3 = row('SKU', 'Name', 'Qty', tag='th')
V3 = '⟦' + row('«code»', '«name»', '«stock»') + '⟧'
MSO = ' xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns="http://www.w3.org/TR/REC-html40"'
MSO_HEAD = '<meta http-equiv=Content-Type content="text/html; charset=utf-8"><!--[if gte mso 9]><xml><x:ExcelWorkbook><x:ExcelWorksheets><x:ExcelWorksheet><x:Name>Stock</x:Name><x:WorksheetOptions><x:DisplayGridlines/></x:WorksheetOptions></x:ExcelWorksheet></x:ExcelWorksheets></x:ExcelWorkbook></xml><![endif]-->'

HTML = [
    h('table-export-plugin', page(f'<table>{R3}{V3}</table>', MSO_HEAD, MSO), 15),
    h('mysql-h', '<TABLE BORDER=1><TR><TH>sku</TH><TH>name</TH><TH>qty</TH></TR>⟦<TR><TD>«code»</TD><TD>«name»</TD><TD>«stock»</TD></TR>⟧</TABLE>', 15, join=''),
    h('psql-h', '<table border="1">\n  <tr>\n    <th align="center">sku</th>\n    <th align="center">qty</th>\n  </tr>\n⟦  <tr valign="top">\n    <td align="left">«code»</td>\n    <td align="right">«stock»</td>\n  </tr>⟧\n</table>\n<p>(15 rows)<br />\n</p>\n', 15),
    h('sqlite-html', '<TR><TH>sku</TH>\n<TH>qty</TH>\n<TH>price</TH>\n</TR>\n⟦<TR><TD>«code»</TD>\n<TD>«stock»</TD>\n<TD>«price»</TD>\n</TR>⟧\n', 15),
    h('gridview', '<div>\n\t<table cellspacing="0" rules="all" border="1" id="GridView1" style="border-collapse:collapse;">\n' + R3.replace('<th', '<th scope="col"') + V3 + '\n\t</table>\n</div>', 15),
    h('sap-alv', page('<table><tr><td colspan=3>Bestandsliste</td></tr><tr><td colspan=3>&nbsp;</td></tr>' + row('Material', 'Kurztext', 'Bestand', attrs=' nowrap') + V3 + '</table>'), 15),
    h('phpspreadsheet', page('<table border="0" cellpadding="0" cellspacing="0" id="sheet0" class="sheet0 gridlines"><col class="col0"><col class="col1"><tbody>' + '<tr class="row0">' + '<td class="column0 style0 s">SKU</td><td class="column1 style0 s">Qty</td></tr>' + '⟦<tr class="row1"><td class="column0 style0 s">«code»</td><td class="column1 style0 n">«stock»</td></tr>⟧</tbody></table>', '<meta http-equiv="Content-Type" content="text/html; charset=utf-8"><style type="text/css">html { font-family:Calibri } td.style0 { vertical-align:bottom }</style>'), 15),
    h('excel-saved', page('<!--[if !excel]>&nbsp;&nbsp;<![endif]--><div id="L_1" align=center x:publishsource="Excel"><table border=0 cellpadding=0 cellspacing=0 width=200><col width=64 span=2><tr height=20><td height=20 class=xl65>SKU</td><td>Preis</td></tr>⟦<tr height=20><td height=20 class=xl65>«code»</td><td align=right>«comma»</td></tr>⟧<![if supportMisalignedColumns]><tr height=0 style="display:none"><td width=64></td><td width=64></td></tr><![endif]></table></div>', '<meta http-equiv=Content-Type content="text/html; charset=windows-1252"><meta name=Generator content="Microsoft Excel 15">', MSO), 15, enc='cp1252'),
    h('cp1251', page('<table border=1>' + row('Код', 'Название', 'Остаток', tag='th') + V3 + '</table>', '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">'), 14, enc='cp1251'),
    h('shift-jis', page('<table>' + row('品番', '在庫', '価格') + '⟦' + row('«code»', '«stock»', '«price»') + '⟧</table>', '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">'), 14, enc='shift_jis'),
    h('gb2312', page('<table>' + row('货号', '库存') + '⟦' + row('«code»', '«stock»') + '⟧</table>', '<meta charset="gb2312">'), 14, enc='gb2312'),
    h('mso-number-format', page('<table>' + row('Art', 'EAN', 'Qty', tag='th') + "⟦<tr><td style='mso-number-format:\"\\@\"'>«code»</td><td style='mso-number-format:\"\\@\"'>«ean»</td><td>«stock»</td></tr>⟧</table>", MSO_HEAD, MSO), 14),
    h('apex', page('<table class="report"><thead>' + row('Sku', 'Qty', tag='th') + '</thead><tbody>⟦' + row('«code»', '«stock»') + '⟧</tbody></table>', '<title>report</title><meta charset="utf-8">'), 14),
    h('br-and-bold', page('<table border="1"><tr><td><b>SKU</b></td><td><b>Description</b></td><td><b>Stock</b></td></tr>⟦<tr><td>«code»</td><td><font size="2">«name»</font></td><td>«stock»<br></td></tr>⟧</table>'), 14),
    h('title-table-first', page('<table><tr><td>ACME Ltd</td><td>Stock list</td></tr></table><br><table border=1>' + R3 + V3 + '</table>'), 14),
    h('total-row', page('<table>' + R3 + V3 + '<tr><td colspan="2">Total</td><td>100</td></tr></table>'), 12, may=True),
    h('oracle-sqlcl', '<html><head><meta charset="utf-8"><title>q</title><style>table{border:1px}</style></head><body><table><tr><th>SKU</th><th>QTY</th></tr>⟦<tr><td>«code»</td><td align="right">«stock»</td></tr>⟧</table></body></html>', 14),
    h('no-close-tags', '<table border=1><tr><td>SKU<td>Name<td>Qty\n⟦<tr><td>«code»<td>«name»<td>«stock»⟧\n</table>', 14),
    h('jsp-blank-lines', '\n\n\n\n<table>\n' + R3 + V3 + '\n</table>\n\n', 14),
    h('scripts-and-link', page('<script>var a = "<table><tr><td>x</td></tr></table>";</script><p><a href="/export">Back</a></p><table id="stock">' + R3 + V3 + '</table><script src="/a.js"></script>'), 14, may=True),
]
