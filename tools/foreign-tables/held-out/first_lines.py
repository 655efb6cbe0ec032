"""First set, NDJSON, and HTML tables as old shops save them for Excel."""
from model import *
from first_json import flat, FIELDS, N


def lines(vals, end='\n', last=True, **o):
    t = end.join(js(v, **o) for v in vals)
    return t + (end if last else '')


def bigquery(r, n):
    ps = products(r, n)
    v = [{'sku': p.sku, 'title': p.title, 'qty': p.qty, 'price': p.price, 'tags': p.tags, 'dims': {'weight': p.weight}} if p.n % 4 else {'sku': p.sku, 'title': p.title, 'price': p.price, 'tags': []} for p in ps]
    return doc('ndjson', 'bigquery', lines(v), n, {**col(ps, 'sku', 'title', 'price'), 'qty': [p.qty if p.n % 4 else '' for p in ps], 'tags': [p.tags if p.n % 4 else '' for p in ps], 'weight': [p.weight if p.n % 4 else '' for p in ps]})


def plain(r, n, end, last, bom=False, name='plain'):
    ps = products(r, n)
    return doc('ndjson', name, (b'\xef\xbb\xbf' if bom else b'') + lines([flat(p) for p in ps], end, last).encode(), n, col(ps, *FIELDS))


def blank_lines(r, n):
    ps = products(r, n)
    return doc('ndjson', 'blank-lines', '\n'.join(js(flat(p)) + ('\n\n' if p.n % 3 == 0 else '') for p in ps) + '\n\n  \n', n, col(ps, *FIELDS))


def concatenated(r, n):
    """jq prints indented objects one after another."""
    ps = products(r, n)
    return doc('ndjson', 'concatenated-indented', lines([flat(p) for p in ps], indent=2), n, col(ps, *FIELDS))


def record_separators(r, n):
    ps = products(r, n)
    return doc('ndjson', 'json-seq', ''.join('\x1e' + js(flat(p)) + '\n' for p in ps), n, col(ps, *FIELDS), mayRefuse=True)


def mongoexport(r, n):
    ps = products(r, n)
    return doc('ndjson', 'mongoexport', lines([{'_id': {'$oid': f'{p.n:024x}'}, 'sku': p.sku, 'name': p.title, 'qty': N(p.qty), 'price': {'$numberDecimal': p.price}, 'updated': {'$date': '2026-01-01T00:00:00Z'}} for p in ps]), n, col(ps, 'sku', 'title', 'qty', 'price'))


def dynamo(r, n):
    ps = products(r, n)
    return doc('ndjson', 'dynamodb', lines([{'Item': {'sku': {'S': p.sku}, 'title': {'S': p.title}, 'qty': {'N': p.qty}, 'price': {'N': p.price}, 'tags': {'SS': p.tags}}} for p in ps]), n, {**col(ps, 'sku', 'title', 'qty', 'price'), 'tags': [p.tags for p in ps]})


def bulk(r, n):
    """Elasticsearch bulk: action and document in turn. Documents are the rows, or it is told."""
    ps = products(r, n)
    v = []
    for p in ps:
        v += [{'index': {'_index': 'p', '_id': p.id}}, flat(p)]
    return doc('ndjson', 'elasticsearch-bulk', lines(v), n, col(ps, *FIELDS), mayTell=True)


def shopify_bulk(r, n):
    """Variants on lines of their own, with __parentId."""
    ps = products(r, n, 1, 3)
    v = []
    for p in ps:
        v.append({'id': f'gid://shopify/Product/{p.id}', 'title': p.title})
        v += [{'id': f'gid://shopify/ProductVariant/{x.id}', 'sku': x.sku, 'inventoryQuantity': N(x.qty), '__parentId': f'gid://shopify/Product/{p.id}'} for x in p.variants]
    return doc('ndjson', 'shopify-bulk', lines(v), len(pairs(ps)), vcol(ps, ['sku', 'qty'], ['title']), mayTell=True)


def variants(r, n):
    ps = products(r, n, 1, 4)
    v = [{'code': p.sku, 'name': p.title, 'variants': [{'sku': x.sku, 'stock': N(x.qty), 'size': x.size} for x in p.variants]} for p in ps]
    return doc('ndjson', 'variants', lines(v), len(pairs(ps)), vcol(ps, ['sku', 'qty', 'size'], ['sku', 'title']))


def arrays(r, n):
    ps = products(r, n)
    return doc('ndjson', 'arrays-with-header', lines([['sku', 'title', 'qty']] + [[p.sku, p.title, N(p.qty)] for p in ps]), n, col(ps, 'sku', 'title', 'qty'), mayRefuse=True)


def singer(r, n):
    ps = products(r, n)
    v = [{'type': 'SCHEMA', 'stream': 'p', 'schema': {'properties': {'sku': {'type': 'string'}}}, 'key_properties': ['sku']}] + [{'type': 'RECORD', 'stream': 'p', 'record': flat(p)} for p in ps] + [{'type': 'STATE', 'value': {'x': 1}}]
    return doc('ndjson', 'singer', lines(v), n, col(ps, *FIELDS), mayTell=True)


def kafka(r, n):
    ps = products(r, n)
    return doc('ndjson', 'kafka-envelope', lines([{'topic': 't', 'offset': p.n, 'key': p.sku, 'value': flat(p)} for p in ps]), n, col(ps, *FIELDS))


def late(r, n):
    ps = products(r, n)
    v = [{**flat(p), **({'outlet': True} if p.n == n - 1 else {})} for p in ps]
    return doc('ndjson', 'late-column', lines(v), n, {**col(ps, *FIELDS), 'outlet': ['true' if p.n == n - 1 else '' for p in ps]})


def one_line(r):
    p = Product(r, 1)
    return doc('ndjson', 'one-line', lines([flat(p)]), 1, col([p], *FIELDS))


def error_line(r, n):
    """An export that broke off and wrote its error as a last line."""
    ps = products(r, n)
    return doc('ndjson', 'error-at-end', lines([flat(p) for p in ps]) + 'curl: (18) transfer closed\n', n, col(ps, *FIELDS), mustRefuse=True)


def cut(r, n):
    ps = products(r, n)
    return doc('ndjson', 'cut-last-line', lines([flat(p) for p in ps])[:-30], n, col(ps, *FIELDS), mustRefuse=True)


def wrapped(r, n):
    """A page of results on each line."""
    ps = products(r, n)
    pages = [ps[i:i + 5] for i in range(0, n, 5)]
    return doc('ndjson', 'page-a-line', lines([{'page': k, 'items': [flat(p) for p in pg]} for k, pg in enumerate(pages)]), n, col(ps, *FIELDS))


# HTML

HEAD = ('SKU', 'Title', 'Qty', 'Price', 'EAN')
HF = ('sku', 'title', 'qty', 'price', 'gtin')


def cells(p):
    return (p.sku, p.title, p.qty, p.price, p.gtin)


def h(text):
    return esc(text)


def tab(ps, th='th', td='<td>{}</td>', attrs=' border=1', close=True):
    end = '</tr>' if close else ''
    out = f'<table{attrs}>\n<tr>' + ''.join(f'<{th}>{x}</{th}>' for x in HEAD) + end + '\n'
    for p in ps:
        out += '<tr>' + ''.join(td.format(h(c)) for c in cells(p)) + end + '\n'
    return out + '</table>'


def asp(r, n):
    ps = products(r, n)
    return doc('html', 'asp-gridview', '<div>\r\n' + tab(ps, attrs=' cellspacing="0" rules="all" border="1" id="GridView1" style="border-collapse:collapse;"') + '\r\n</div>', n, col(ps, *HF))


def excel_html(r, n):
    ps = products(r, n)
    top = '<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">\n<head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><!--[if gte mso 9]><xml><x:ExcelWorkbook><x:ExcelWorksheets><x:ExcelWorksheet><x:Name>Stock</x:Name></x:ExcelWorksheet></x:ExcelWorksheets></x:ExcelWorkbook></xml><![endif]--><style>td{mso-number-format:"\\@";}</style></head><body>'
    return doc('html', 'excel-html', top + tab(ps, td='<td class=xl65 style="mso-number-format:\'\\@\'">{}</td>') + '</body></html>', n, col(ps, *HF))


def latin1(r, n):
    ps = products(r, n)
    for p in ps:
        p.title = f'Größe Café {p.n}'
    return doc('html', 'windows-1252', ('<html><head><meta http-equiv="Content-Type" content="text/html; charset=windows-1252"></head><body>' + tab(ps) + '</body></html>').encode('cp1252'), n, col(ps, *HF))


def named_entities(r, n):
    ps = products(r, n)
    for p in ps:
        p.title = f'Größe Café {p.n} ½'
    t = tab(ps).replace('ö', '&ouml;').replace('ß', '&szlig;').replace('é', '&eacute;').replace('½', '&#189;')
    return doc('html', 'named-entities', '<html><body>' + t + '</body></html>', n, col(ps, *HF))


def unclosed(r, n):
    ps = products(r, n)
    out = '<TABLE BORDER=1>\n<TR><TH>SKU<TH>Title<TH>Qty<TH>Price<TH>EAN\n' + ''.join('<TR>' + ''.join(f'<TD NOWRAP>{h(c)}' for c in cells(p)) + '\n' for p in ps) + '</TABLE>'
    return doc('html', 'unclosed-tags', out, n, col(ps, *HF))


def layout(r, n):
    """A table for the layout around it, a title row across, a footer."""
    ps = products(r, n)
    t = tab(ps).replace('<tr>', '<tr><td colspan="5"><b>Stock list of 1 Jan</b></td></tr>\n<tr>', 1)
    return doc('html', 'layout-and-title', f'<html><body><table><tr><td><img src="logo.gif"></td><td>Northbeck Ltd</td></tr></table>{t}<p>Page 1</p></body></html>', n, col(ps, *HF))


def nested(r, n):
    ps = products(r, n)
    return doc('html', 'table-in-table', f'<html><body><table width=100%><tr><td>{tab(ps)}</td></tr></table></body></html>', n, col(ps, *HF))


def thead(r, n):
    ps = products(r, n)
    t = '<table><caption>Inventory</caption><colgroup><col><col></colgroup><thead><tr>' + ''.join(f'<th scope="col"><a href="?sort={x}">{x}</a></th>' for x in HEAD) + '</tr></thead><tbody>'
    t += ''.join('<tr>' + ''.join(f'<td><span>{h(c)}</span></td>' for c in cells(p)) + '</tr>' for p in ps) + f'</tbody><tfoot><tr><td>Total</td><td></td><td>{n}</td><td></td><td></td></tr></tfoot></table>'
    return doc('html', 'thead-tfoot', '<!DOCTYPE html><html><head><title>x</title><script>var a = "<table><tr><td>no</td></tr></table>";</script></head><body>' + t + '</body></html>', n, col(ps, *HF), mayTell=True)


def nbsp(r, n):
    ps = products(r, n)
    out = '<table><tr>' + ''.join(f'<td><b>{x}</b></td>' for x in HEAD) + '</tr>' + ''.join(f'<tr><td>{h(p.sku)}</td><td>{h(p.title)}<br>line two</td><td>&nbsp;</td><td> {p.price} </td><td>{p.gtin}</td></tr>' for p in ps) + '</table>'
    return doc('html', 'nbsp-and-br', out, n, {**col(ps, 'sku', 'price', 'gtin'), 'title': [{'has': [p.title, 'line two']} for p in ps], 'qty': [''] * n})


def rowspan(r, n):
    """Brand across the rows of its products."""
    ps = products(r, n)
    out = '<table><tr><th>Brand</th><th>SKU</th><th>Qty</th></tr>'
    for i in range(0, n, 3):
        g = ps[i:i + 3]
        for k, p in enumerate(g):
            out += '<tr>' + (f'<td rowspan={len(g)}>Brand {i}</td>' if k == 0 else '') + f'<td>{h(p.sku)}</td><td>{p.qty}</td></tr>'
    return doc('html', 'rowspan', out + '</table>', n, col(ps, 'sku', 'qty'))


def utf16_html(r, n):
    ps = products(r, n)
    return doc('html', 'utf16', b'\xff\xfe' + ('<html><body>' + tab(ps) + '</body></html>').encode('utf-16-le'), n, col(ps, *HF))


def error_page(r):
    return doc('html', 'error-page', '<!DOCTYPE html><html><head><title>Login</title></head><body><form><table><tr><td>User</td><td><input name=u></td></tr><tr><td>Password</td><td><input name=p></td></tr></table></form></body></html>', 0, {}, mustRefuse=True)


def no_table(r):
    return doc('html', 'maintenance', '<html><body><h1>503 Service unavailable</h1><p>Back soon</p></body></html>', 0, {}, mustRefuse=True)
