"""First set, XML: exports of ERP systems, databases and programs; odd but lawful writing."""
from model import *


def simple(ps, tag='item', root='items', **kw):
    return E(root, [E(tag, E('sku', p.sku), E('title', p.title), E('qty', p.qty), E('price', p.price), E('gtin', p.gtin), E('category', p.cat)) for p in ps])


FIELDS = ('sku', 'title', 'qty', 'price', 'gtin', 'cat')


def idoc(r, n):
    ps = products(r, n)
    docs = [E('IDOC', {'BEGIN': '1'}, E('EDI_DC40', {'SEGMENT': '1'}, E('TABNAM', 'EDI_DC40'), E('DOCNUM', '00000000%08d' % p.n)),
              E('E1MARAM', {'SEGMENT': '1'}, E('MATNR', p.sku), E('EAN11', p.gtin), E('BRGEW', p.weight), [E('E1MAKTM', {'SEGMENT': '1'}, E('SPRAS', l), E('MAKTX', f'{l} {p.title}')) for l in ('D', 'E', 'F')],
                E('E1MARCM', {'SEGMENT': '1'}, E('WERKS', '0001'), E('LABST', p.qty)))) for p in ps]
    return doc('xml', 'idoc-matmas', DECL + xml(E('MATMAS05', docs)), n, {**col(ps, 'sku', 'gtin', 'weight', 'qty'), 'title': [{'has': [f'E {p.title}']} for p in ps]})


def idoc_plants(r, n):
    """One IDoc, one segment a material, stock by plant below it."""
    ps = products(r, n, 2, 4)
    segs = [E('E1MARAM', {'SEGMENT': '1'}, E('MATNR', p.sku), E('MAKTX', p.title), [E('E1MARDM', {'SEGMENT': '1'}, E('LGORT', v.sku), E('LABST', v.qty)) for v in p.variants]) for p in ps]
    return doc('xml', 'idoc-plants', DECL + xml(E('ZSTOCK', E('IDOC', {'BEGIN': '1'}, E('EDI_DC40', {'SEGMENT': '1'}, E('DOCNUM', '1')), segs)), pretty=True), len(pairs(ps)), vcol(ps, ['sku', 'qty'], ['sku', 'title']))


def odata_atom(r, n):
    ps = products(r, n)
    ns = {'xmlns': 'http://www.w3.org/2005/Atom', 'xmlns:m': 'http://schemas.microsoft.com/ado/2007/08/dataservices/metadata', 'xmlns:d': 'http://schemas.microsoft.com/ado/2007/08/dataservices'}
    es = [E('entry', E('id', f'https://nav.example/Item({p.id})'), E('title', {'type': 'text'}), E('updated', '2026-01-01T00:00:00Z'), E('author', E('name')), E('content', {'type': 'application/xml'},
            E('m:properties', E('d:No', p.sku), E('d:Description', p.title), E('d:Inventory', {'m:type': 'Edm.Decimal'}, p.qty), E('d:Unit_Price', {'m:type': 'Edm.Decimal'}, p.price), E('d:GTIN', p.gtin) if p.n % 4 else E('d:GTIN', {'m:null': 'true'})))) for p in ps]
    return doc('xml', 'navision-odata', DECL + xml(E('feed', ns, E('title', {'type': 'text'}, 'Items'), E('id', 'x'), E('link', {'rel': 'self', 'href': 'Item'}), es)), n,
               {**col(ps, 'sku', 'title', 'qty', 'price'), 'gtin': [p.gtin if p.n % 4 else '' for p in ps]})


def navision_xmlport(r, n):
    ps = products(r, n)
    items = [E('Item', {'No': p.sku}, E('Description', p.title), E('Inventory', p.qty), E('UnitPrice', p.price.replace('.', ',')), E('CrossRef', p.gtin)) for p in ps]
    text = '<?xml version="1.0" encoding="UTF-16" standalone="no"?>\r\n' + xml(E('Root', items), pretty=True).replace('\n', '\r\n')
    return doc('xml', 'navision-xmlport-utf16', b'\xff\xfe' + text.encode('utf-16-le'), n, {**col(ps, 'sku', 'title', 'qty', 'gtin'), 'price': [p.price.replace('.', ',') for p in ps]})


def mysql_xml(r, n):
    ps = products(r, n)
    rows = [E('row', E('field', {'name': 'sku'}, p.sku), E('field', {'name': 'title'}, p.title), E('field', {'name': 'qty'}, p.qty), E('field', {'name': 'price'}, p.price),
              E('field', {'name': 'gtin'}, p.gtin) if p.n % 3 else E('field', {'name': 'gtin', 'xsi:nil': 'true'})) for p in ps]
    return doc('xml', 'mysql-xml', '<?xml version="1.0"?>\n\n' + xml(E('resultset', {'statement': 'SELECT * FROM products WHERE qty > 0', 'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance'}, rows), pretty=True), n,
               {**col(ps, 'sku', 'title', 'qty', 'price'), 'gtin': [p.gtin if p.n % 3 else '' for p in ps]})


def phpmyadmin(r, n):
    ps = products(r, n)
    rows = [E('table', {'name': 'articles'}, [E('column', {'name': k}, v) for k, v in (('id', p.id), ('sku', p.sku), ('title', p.title), ('qty', p.qty), ('price', p.price))]) for p in ps]
    body = E('pma_xml_export', {'version': '1.0', 'xmlns:pma': 'https://www.phpmyadmin.net/some_doc_url/'}, Lit('<!-- - Structure schemas -->'),
             E('pma:structure_schemas', E('pma:database', {'name': 'shop'}, E('pma:table', {'name': 'articles'}, 'CREATE TABLE `articles` (`id` int(11) NOT NULL);'))), Lit("<!-- - Database: 'shop' -->"), E('database', {'name': 'shop'}, Lit('<!-- Table articles -->'), rows))
    return doc('xml', 'phpmyadmin', '<?xml version="1.0" encoding="utf-8"?>\n<!--\n- phpMyAdmin XML Dump\n- version 5.2.1\n-->\n' + xml(body, pretty=True), n, col(ps, 'id', 'sku', 'title', 'qty', 'price'))


def solr_add(r, n):
    ps = products(r, n)
    docs = [E('doc', E('field', {'name': 'id'}, p.sku), E('field', {'name': 'title_t'}, p.title), [E('field', {'name': 'tag_ss'}, t) for t in p.tags], E('field', {'name': 'price_f'}, p.price)) for p in ps]
    return doc('xml', 'solr-add', xml(E('add', {'overwrite': 'true'}, docs), pretty=True), n, {**col(ps, 'sku', 'title', 'price'), 'tags': [p.tags for p in ps]})


def access(r, n):
    ps = products(r, n)
    rows = [E('Artikel_x0020_Liste', E('Artikel_x002D_Nr', p.sku), E('Bezeichnung', p.title), E('Lager', p.qty), E('Preis', p.price) if p.n % 5 else None) for p in ps]
    return doc('xml', 'ms-access', DECL + xml(E('dataroot', {'xmlns:od': 'urn:schemas-microsoft-com:officedata', 'generated': '2026-01-01T10:00:00'}, rows), pretty=True), n,
               {**col(ps, 'sku', 'title', 'qty'), 'price': [p.price if p.n % 5 else '' for p in ps]})


def ado(r, n):
    ps = products(r, n)
    ns = {'xmlns:s': 'uuid:BDC6E3F0-6DA3-11d1-A2A3-00AA00C14882', 'xmlns:dt': 'uuid:C2F4', 'xmlns:rs': 'urn:schemas-microsoft-com:rowset', 'xmlns:z': '#RowsetSchema'}
    schema = E('s:Schema', {'id': 'RowsetSchema'}, E('s:ElementType', {'name': 'row', 'content': 'eltOnly'}, [E('s:AttributeType', {'name': k, 'rs:number': str(i + 1), 'rs:nullable': 'true'}, E('s:datatype', {'dt:type': 'string'})) for i, k in enumerate(['sku', 'title', 'qty', 'price', 'a', 'b', 'c', 'd'])]))
    rows = E('rs:data', [E('z:row', {'sku': p.sku, 'title': p.title, 'qty': p.qty, 'price': p.price}) for p in ps])
    return doc('xml', 'ado-recordset', xml(E('xml', ns, schema, rows), pretty=True, quote="'").lstrip(), n, col(ps, 'sku', 'title', 'qty', 'price'))


def oracle(r, n):
    ps = products(r, n)
    rows = [E('ROW', {'num': str(p.n + 1)}, E('SKU', p.sku), E('TITLE', p.title), E('QTY', p.qty) if p.n % 2 else None, E('PRICE', p.price)) for p in ps]
    return doc('xml', 'oracle-rowset', "<?xml version = '1.0'?>\n" + xml(E('ROWSET', rows), pretty=True), n, {**col(ps, 'sku', 'title', 'price'), 'qty': [p.qty if p.n % 2 else '' for p in ps]})


def dataset(r, n):
    """A .NET DataSet: schema inline, two tables, the second smaller."""
    ps = products(r, n)
    s = E('xs:schema', {'id': 'NewDataSet', 'xmlns:xs': 'http://www.w3.org/2001/XMLSchema'}, E('xs:element', {'name': 'NewDataSet'}, E('xs:complexType', E('xs:choice', [E('xs:element', {'name': f'c{k}', 'type': 'xs:string'}) for k in range(12)]))))
    rows = [E('Table', E('ArtNo', p.sku), E('Text', {'xml:space': 'preserve'}, p.title), E('Stock', p.qty), E('Price', p.price)) for p in ps]
    more = [E('Table1', E('Warehouse', f'W{k}'), E('City', 'Kiel')) for k in range(3)]
    return doc('xml', 'dotnet-dataset', DECL + xml(E('NewDataSet', s, rows, more), pretty=True), n, col(ps, 'sku', 'title', 'qty', 'price'))


def filemaker(r, n):
    ps = products(r, n)
    meta = E('METADATA', [E('FIELD', {'EMPTYOK': 'YES', 'MAXREPEAT': '1', 'NAME': k, 'TYPE': 'TEXT'}) for k in ('sku', 'title', 'qty', 'price')])
    rows = [E('ROW', {'MODID': '3', 'RECORDID': str(p.n)}, [E('COL', E('DATA', v) if v else E('DATA')) for v in (p.sku, p.title, '' if p.n % 3 == 1 else p.qty, p.price)]) for p in ps]
    return doc('xml', 'filemaker', DECL + xml(E('FMPXMLRESULT', {'xmlns': 'http://www.filemaker.com/fmpxmlresult'}, E('ERRORCODE', '0'), E('DATABASE', {'NAME': 'a.fmp12', 'RECORDS': str(n)}), meta, E('RESULTSET', {'FOUND': str(n)}, rows))), n,
               {**col(ps, 'sku', 'title', 'price'), 'qty': ['' if p.n % 3 == 1 else p.qty for p in ps]})


def spreadsheetml(r, n):
    ps = products(r, n)
    def c(v, t='String', **a):
        return E('Cell', a, E('Data', {'ss:Type': t}, v))
    rows = [E('Row', [c(k) for k in ('SKU', 'Title', 'GTIN', 'Qty', 'Price')])]
    for p in ps:
        gap = p.n % 4 == 2
        rows.append(E('Row', c(p.sku), c(p.title), None if gap else c(p.gtin), c(p.qty, 'Number', **({'ss:Index': '4'} if gap else {})), c(p.price.rstrip('0').rstrip('.'), 'Number')))
    ns = {'xmlns': 'urn:schemas-microsoft-com:office:spreadsheet', 'xmlns:ss': 'urn:schemas-microsoft-com:office:spreadsheet'}
    body = E('Workbook', ns, E('Styles', E('Style', {'ss:ID': 'Default'})), E('Worksheet', {'ss:Name': 'Stock'}, E('Table', {'ss:ExpandedColumnCount': '5'}, rows)))
    return doc('xml', 'spreadsheetml-2003', '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n' + xml(body, pretty=True), n,
               {**col(ps, 'sku', 'title', 'qty'), 'gtin': ['' if p.n % 4 == 2 else p.gtin for p in ps], 'price': [p.price.rstrip('0').rstrip('.') for p in ps]})


def odoo_xmlrpc(r, n):
    ps = products(r, n)
    def m(k, t, v):
        return E('member', E('name', k), E('value', E(t, v)))
    vals = [E('value', E('struct', m('id', 'int', p.id), m('default_code', 'string', p.sku), m('name', 'string', p.title), m('qty_available', 'double', p.qty), m('list_price', 'double', p.price))) for p in ps]
    return doc('xml', 'odoo-xmlrpc', "<?xml version='1.0'?>\n" + xml(E('methodResponse', E('params', E('param', E('value', E('array', E('data', vals))))))), n, col(ps, 'id', 'sku', 'title', 'qty', 'price'))


def tally(r, n):
    """Whole path deep, one record under each wrapper."""
    ps = products(r, n)
    ms = [E('TALLYMESSAGE', {'xmlns:UDF': 'TallyUDF'}, E('STOCKITEM', {'NAME': p.title, 'RESERVEDNAME': ''}, E('PARTNO', p.sku), E('CLOSINGBALANCE', p.qty + ' Nos'), E('LANGUAGENAME.LIST', E('NAME.LIST', {'TYPE': 'String'}, E('NAME', p.title), E('NAME', p.sku + '-alias'))))) for p in ps]
    return doc('xml', 'tally', xml(E('ENVELOPE', E('HEADER', E('TALLYREQUEST', 'Import Data')), E('BODY', E('IMPORTDATA', E('REQUESTDESC', E('REPORTNAME', 'All Masters')), E('REQUESTDATA', ms)))), pretty=True), n,
               {**col(ps, 'title', 'sku'), 'qty': [p.qty + ' Nos' for p in ps]})


def by_category(r, n):
    """Products below the category they belong to; the category is an attribute of the parent."""
    ps = products(r, n)
    cats = [ps[i:i + 4] for i in range(0, n, 4)]
    body = E('catalogue', [E('category', {'name': f'Cat {k}'}, [E('product', E('sku', p.sku), E('title', p.title), E('price', p.price)) for p in c]) for k, c in enumerate(cats)])
    return doc('xml', 'by-category', DECL + xml(body, pretty=True), n, {**col(ps, 'sku', 'title', 'price'), 'cat': [f'Cat {p.n // 4}' for p in ps]})


def encoded(r, n, enc, declared, bom=b''):
    ps = products(r, n)
    for p in ps:
        p.title = f'Größe Crème “x” € {p.n}' if enc == 'cp1252' else (f'Größe Crème {p.n}' if enc in ('iso-8859-1', 'iso-8859-15') else p.title)
        p.cat = 'Büro'
    text = f'<?xml version="1.0"{f" encoding={chr(34)}{declared}{chr(34)}" if declared else ""}?>\n' + xml(simple(ps), pretty=True)
    return doc('xml', f'encoded-{enc}-{declared or "none"}', bom + text.encode(enc), n, col(ps, *FIELDS))


def entities(r, n):
    ps = products(r, n)
    return doc('xml', 'numeric-entities', '<?xml version="1.0" encoding="US-ASCII"?>' + xml(simple(ps), numeric=True), n, col(ps, *FIELDS))


def noisy(r, n):
    """Comments, instructions and CDATA in the midst of text."""
    ps = products(r, n)
    def t(s):
        h = len(s) // 2
        return [s[:h], CD(s[h:]), Lit('<!-- note -->')]
    items = [E('p', Lit('<!-- <sku>no</sku> -->'), Lit('<?php echo 1 ?>'), E('sku', p.sku), Lit('<!--a-->'), E('title', t(p.title)), E('qty', ' \n ', p.qty, '\n  '), E('price', Lit('<!--x-->'), p.price)) for p in ps]
    return doc('xml', 'comments-cdata-parts', DECL + '<?xml-stylesheet type="text/xsl" href="a.xsl"?><!-- made by hand -->' + xml(E('list', items)), n, col(ps, 'sku', 'title', 'qty', 'price'))


def mixed(r, n):
    ps = products(r, n)
    items = [E('item', E('sku', p.sku), E('desc', 'Made of ', E('b', 'oak'), f' and steel {p.n}'), E('price', p.price)) for p in ps]
    return doc('xml', 'mixed-content', xml(E('items', items)), n, {**col(ps, 'sku', 'price'), 'desc': [{'has': ['Made of', f'and steel {p.n}']} for p in ps]})


def xhtml(r, n):
    ps = products(r, n)
    items = [E('item', {'sku': p.sku}, E('name', p.title), E('description', CD(f'<p>Nice &amp; <b>good</b> {p.n}</p>')), E('price', p.price)) for p in ps]
    return doc('xml', 'html-in-cdata', DECL + xml(E('items', items), pretty=True), n, {**col(ps, 'sku', 'title', 'price'), 'desc': [f'<p>Nice &amp; <b>good</b> {p.n}</p>' for p in ps]})


def one_record(r, nested):
    p = Product(r, 1)
    item = E('product', E('sku', p.sku), E('title', p.title), E('price', p.price))
    return doc('xml', 'one-record' + ('-nested' if nested else ''), DECL + xml(E('products', E('list', item) if nested else item), pretty=True), 1, col([p], 'sku', 'title', 'price'))


def one_with_many(r):
    """One product, eight variants."""
    ps = [Product(r, 1, 6)]
    return doc('xml', 'one-product-many-variants', DECL + xml(E('products', E('product', E('sku', ps[0].sku), E('title', ps[0].title), E('variants', [E('variant', E('sku', v.sku), E('qty', v.qty), E('size', v.size)) for v in ps[0].variants]))), pretty=True), 6,
               vcol(ps, ['sku', 'qty', 'size'], ['sku', 'title']))


def two_lists(r, n):
    """Customers beside products, about as many; fewer fields."""
    ps = products(r, n)
    cust = E('customers', [E('customer', {'id': str(k)}, E('name', f'C {k}')) for k in range(n + 10)])
    return doc('xml', 'two-lists', DECL + xml(E('export', E('meta', E('date', '2026-01-01')), cust, simple(ps, root='products', tag='product')), pretty=True), n, col(ps, *FIELDS))


def split_lists(r, n):
    """The same element in two parents (new and changed products): all of them are products."""
    ps = products(r, n)
    h = n // 3
    return doc('xml', 'split-lists', DECL + xml(E('export', simple(ps[:h], root='new'), simple(ps[h:], root='changed')), pretty=True), n, col(ps, *FIELDS))


def prefixes(r, n):
    """Two names that differ only by the prefix."""
    ps = products(r, n)
    items = [E('x:item', E('x:id', p.id), E('y:id', p.sku), E('x:price', p.price), E('y:price', p.cost)) for p in ps]
    return doc('xml', 'same-local-names', DECL + xml(E('x:items', {'xmlns:x': 'urn:x', 'xmlns:y': 'urn:y'}, items), pretty=True), n, col(ps, 'id', 'sku', 'price', 'cost'))


def attr_and_text(r, n):
    """Attribute and child of one name; attribute on a repeated child, missing here and there."""
    ps = products(r, n)
    items = [E('item', {'id': p.id, 'price': p.cost}, E('id', p.sku), E('price', {'currency': 'EUR'} if p.n % 2 else {}, p.price), [E('stock', {'wh': w}, q) for w, q in (('N', p.qty), ('S', '7'))]) for p in ps]
    return doc('xml', 'attribute-and-child', DECL + xml(E('items', items), pretty=True), n, {**col(ps, 'id', 'sku', 'price', 'cost'), 'qty': [{'has': [p.qty]} for p in ps], 'currency': ['EUR' if p.n % 2 else '' for p in ps]})


def late_columns(r, n):
    """A field that appears first in the last record; an unknown order of children."""
    ps = products(r, n)
    items = []
    for p in ps:
        kids = [E('sku', p.sku), E('title', p.title), E('price', p.price)]
        r.shuffle(kids)
        if p.n == n - 1:
            kids.insert(0, E('outlet', 'yes'))
        items.append(E('item', kids))
    return doc('xml', 'late-column', xml(E('items', items), pretty=True), n, {**col(ps, 'sku', 'title', 'price'), 'outlet': ['yes' if p.n == n - 1 else '' for p in ps]})


def recursive(r, n):
    """A product within a product (accessories by the same name): the outer ones are the rows."""
    ps = products(r, n)
    items = [E('product', E('sku', p.sku), E('title', p.title), E('price', p.price), E('accessories', E('product', E('sku', 'ACC-1'), E('title', 'Acc'))) if p.n % 3 == 0 else None) for p in ps]
    return doc('xml', 'same-name-inside', xml(E('products', items), pretty=True), n, col(ps, 'sku', 'title', 'price'))


def broken(r, how):
    ps = products(r, 12)
    text = DECL + xml(simple(ps), pretty=True)
    if how == 'cut':
        text = text[: len(text) * 2 // 3]
    if how == 'entity':
        text = text.replace('<title>', '<title>&nbsp;', 3)
    if how == 'dtd-entity':
        text = text.replace('<items>', '<!DOCTYPE items [<!ENTITY co "Acme">]>\n<items>').replace('<title>', '<title>&co; ', 3)
    if how == 'junk-after':
        text += '\n<items><item><sku>X</sku></item></items>'
    if how == 'ampersand':
        text = text.replace('&amp;', '&')
    return doc('xml', 'broken-' + how, text, 12, col(ps, 'sku'), mustRefuse=True)
