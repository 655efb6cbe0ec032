"""The fourth set: JSON lines, and HTML tables saved as .xls."""
import html

from fourth_model import Num, dump, goods, keys, lines, made, rows


def plain(r, name, count, spec, also=None, end='\n', last=True, bom=b'', skip=False):
    products = goods(r, count)
    items = [{**keys(g, spec), **(also(g) if also else {})} for g in products]
    if skip:
        items = [{key: value for key, value in item.items() if value is not None} for item in items]
    text = lines(items).replace('\n', end)
    fields = ' '.join(part.split('=')[1].lstrip('#?') for part in spec.split())
    return made('ndjson', name, text if last else text[: -len(end)], products, fields, bom=bom)


def framed(r, name, count, frame):
    products = goods(r, count)
    return made('ndjson', name, lines(frame(keys(g, SPEC), g) for g in products), products, 'sku name price qty ean')


def lists(r, name, count):
    """The first line has the names."""
    products = goods(r, count)
    text = ''.join(dump(line) + '\n' for line in [['sku', 'name', 'qty', 'price'], *([g.sku, g.name, Num(g.qty), Num(g.price)] for g in products)])
    return made('ndjson', name, text, products, 'sku name qty price')


def with_variants(r, name, count):
    products = goods(r, count, 1, 3)
    text = lines({'id': g.id, 'title': g.name, 'brand': g.brand, 'variants': [keys(p, 'sku=v.sku size=v.size qty=#v.qty price=v.price') for p in rows([g])]} for g in products)
    return made('ndjson', name, text, rows(products), 'p.id p.name p.brand v.sku v.size v.qty v.price')


SPEC = 'sku=sku name=name price=#price qty=#qty ean=ean'
LINES = [
    (plain, 'lines', 20, SPEC), (plain, 'lines-crlf', 12, SPEC + ' note=?note', None, '\r\n'), (plain, 'lines-no-end', 9, SPEC, None, '\n', False), (plain, 'lines-sparse', 30, SPEC + ' note=?note sale=?sale', {'skip': True}),
    (plain, 'lines-nested', 14, 'id=id sku=sku title=name price.value=price price.unit=eur stock.free=#qty'), (plain, 'lines-bom', 8, SPEC, {'bom': b'\xef\xbb\xbf'}), (plain, 'bigquery', 250, 'item_id=id item_no=sku descr=name on_hand=qty list_price=price gtin=ean updated=date'),
    (plain, 'mongoexport', 11, SPEC, lambda g: {'_id': {'$oid': f'65a0c1{int(g.id):018x}'}, 'updatedAt': {'$date': '2026-10-02T04:00:00Z'}}), (plain, 'lines-lists', 10, SPEC, lambda g: {'images': g.imgs, 'attributes': {'colour': g.colour}}), (with_variants, 'lines-variants', 9),
    (framed, 'elastic-hits', 12, lambda item, g: {'_index': 'items', '_id': g.id, '_score': 1, '_source': item}), (framed, 'singer', 10, lambda item, g: {'type': 'RECORD', 'stream': 'items', 'record': item}),
    (framed, 'kafka', 11, lambda item, g: {'topic': 'stock', 'partition': 0, 'offset': Num(g.n), 'key': g.sku, 'value': item}), (lists, 'lines-of-lists', 10),
]


def h(text):
    return html.escape(text, quote=False)


def cells(texts, tag='td', style=None):
    return '<tr>' + ''.join(f'<{tag}{style[at] if style else ""}>{h(text) or "&nbsp;"}</{tag}>' for at, text in enumerate(texts)) + '</tr>\n'


COLUMNS = [('Item no.', 'sku'), ('Description', 'name'), ('EAN', 'ean'), ('Stock', 'qty'), ('Price', 'price'), ('Remark', 'note')]
LAENDER = [('Artikelnummer', 'sku'), ('Bezeichnung', 'name'), ('EAN', 'ean'), ('Lagerbestand', 'qty'), ('Preis', 'comma'), ('Marke', 'brand')]
FRENCH = [('Référence', 'sku'), ('Désignation', 'name'), ('Code barre', 'ean'), ('Stock', 'qty'), ('Prix', 'comma')]
POLISH = [('Symbol', 'sku'), ('Nazwa', 'name'), ('EAN', 'ean'), ('Stan', 'qty'), ('Cena netto', 'comma')]


def sheet(r, name, count, frame, names=COLUMNS, head='td', style=None, enc='utf-8', before='', bom=b''):
    products = goods(r, count)
    body = before + cells([title for title, _ in names], head) + ''.join(cells([getattr(g, field) for _, field in names], style=style) for g in products)
    return made('html', name, frame.replace('…', body), products, ' '.join(field for _, field in names), enc=enc, bom=bom)


def split(r, name, count):
    """thead and tbody, closed by nothing, as old ERP systems write."""
    products = goods(r, count)
    head = '<thead><tr><th>Code<th>Name<th>Qty<th>Price</thead>\n'
    body = ''.join(f'<tr><td>{h(g.sku)}<td>{h(g.name)}<td align=right>{g.qty}<td align=right>{g.price}\n' for g in products)
    return made('html', name, f'<TABLE border=1>\n{head}<tbody>{body}</TABLE>\n', products, 'sku name qty price')


OFFICE = '<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns="http://www.w3.org/TR/REC-html40"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><meta name=ProgId content=Excel.Sheet><!--[if gte mso 9]><xml><x:ExcelWorkbook><x:ExcelWorksheets><x:ExcelWorksheet><x:Name>Stock</x:Name></x:ExcelWorksheet></x:ExcelWorksheets></x:ExcelWorkbook></xml><![endif]--></head><body><table border="1">…</table></body></html>'
PLAIN = '<html><head><meta charset="utf-8"><title>Export</title></head><body>\n<table>…</table>\n</body></html>'
TEXT = ' style="mso-number-format:\'\\@\'"'
HTML = [
    (sheet, 'php-excel', 14, OFFICE), (sheet, 'php-excel-text', 10, OFFICE, COLUMNS, 'th', [TEXT, '', TEXT, ' x:num', ' align="right"', '']), (sheet, 'table-only', 12, '<table border="1">\n…</table>', COLUMNS, 'th'),
    (sheet, 'page-table', 11, PLAIN, COLUMNS, 'th'), (sheet, 'german', 15, PLAIN, LAENDER, 'th'), (sheet, 'french-latin1', 9, '<html><head><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"></head><body><table>…</table></body></html>', FRENCH, 'th', None, 'iso-8859-1'),
    (sheet, 'polish-1250', 10, '<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1250"></head><body><table cellspacing="0">…</table></body></html>', POLISH, 'td', None, 'cp1250'), (split, 'unclosed', 11),
    (sheet, 'nl-voorraad', 18, PLAIN, [('Artikelcode', 'sku'), ('Omschrijving', 'name'), ('Voorraad', 'qty'), ('Verkoopprijs', 'comma'), ('Barcode', 'ean')], 'th'), (sheet, 'asp-grid', 16, '<div>\n<table cellspacing="0" rules="all" border="1" id="GridView1" style="border-collapse:collapse;">…</table>\n</div>', COLUMNS, 'th'),
    (sheet, 'titled', 12, OFFICE, COLUMNS, 'th', None, 'utf-8', '<tr><td colspan="6"><b>Stock list 2026-10-02</b></td></tr>\n'), (sheet, 'office-bold', 10, OFFICE.replace('Stock<', 'Export<'), LAENDER, 'td', None, 'utf-8', '', b'\xef\xbb\xbf'),
    (sheet, 'styled', 9, '<style>td{mso-number-format:"\\@"}</style><table><colgroup><col width=80><col width=200></colgroup>…</table>', COLUMNS, 'th'), (sheet, 'crystal', 13, '<HTML><BODY><H2>Inventory report</H2><TABLE CELLPADDING="2">…</TABLE><P>Page 1 of 1</P></BODY></HTML>', COLUMNS, 'TH'),
]
