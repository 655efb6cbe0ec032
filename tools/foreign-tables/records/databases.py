"""What databases and data tools write."""
import pandas

from records.catalogue import draw_categories, draw_products
from records.files import File, json_file, kind, lines_file, text_file, xml_file
from records.json_text import COMPACT, Number, Style as JsonStyle, dump, flatten as flatten_json, write_json
from records.truth import simple_table
from records.xml_tree import Style, e, flatten, write_xml

XSI = {'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance'}


def rows_of(random, count=None):
    """Rows as texts, with a value that is missing in some."""
    return [
        {
            'id': product.id,
            'sku': product.sku,
            'name': product.name,
            'ean': product.ean if at % 3 else None,
            'price': product.price,
            'qty': product.qty,
        }
        for at, product in enumerate(draw_products(random, count))
    ]


def fields(row, tag, attribute='name'):
    return [
        e(tag, {attribute: name, **({'xsi:nil': 'true'} if value is None else {})}, value)
        for name, value in row.items()
    ]


def elements(row):
    return [e(name, value) for name, value in row.items() if value is not None]


def structure(row):
    return [
        e('field', {'Field': name, 'Type': 'varchar(64)', 'Null': 'YES', 'Key': '', 'Extra': '', 'Comment': ''})
        for name in row
    ]


@kind
def mysqldump(random):
    """The columns are described ahead, by more elements than there are rows."""
    rows = rows_of(random)
    data = e('table_data', {'name': 'products'}, [e('row', fields(row, 'field')) for row in rows])
    root = e(
        'mysqldump',
        XSI,
        e('database', {'name': 'shop'}, e('table_structure', {'name': 'products'}, structure(rows[0])), data),
    )
    style = Style(indent=random.choice(['\t', '  ']))
    return xml_file(random, root, ['mysqldump', 'database', 'table_data', 'row'], by={'field': 'name'}, style=style)


@kind
def mysqldump_of_two_tables(random):
    """Rows at one path, but of different tables."""
    rows = rows_of(random)
    tables = {'categories': [{'id': id, 'name': name} for id, _, name in draw_categories(random)], 'products': rows}
    parts = [
        part
        for name, content in tables.items()
        for part in (
            e('table_structure', {'name': name}, structure(content[0])),
            e('table_data', {'name': name}, [e('row', fields(row, 'field')) for row in content]),
        )
    ]
    root = e('mysqldump', XSI, e('database', {'name': 'shop'}, parts))
    table = simple_table([{name: cell or '' for name, cell in row.items()} for row in rows])
    return File(write_xml(root, Style()), 'xml', [table], is_ambiguous=True, is_checked=False)


@kind
def mysql_client(random):
    rows = [e('row', fields(row, 'field')) for row in rows_of(random)]
    return xml_file(
        random,
        e('resultset', {'statement': 'SELECT * FROM products WHERE qty > 0', **XSI}, rows),
        ['resultset', 'row'],
        by={'field': 'name'},
    )


@kind
def phpmyadmin_xml(random):
    rows = [
        e(
            'table',
            {'name': 'products'},
            [e('column', value if value is not None else 'NULL', name=name) for name, value in row.items()],
        )
        for row in rows_of(random)
    ]
    schema = e(
        'pma:structure_schemas',
        e(
            'pma:database',
            {'name': 'shop', 'collation': 'utf8mb4_general_ci'},
            e('pma:table', {'name': 'products'}, 'CREATE TABLE `products` (\n `id` int(11) NOT NULL\n);'),
        ),
    )
    root = e(
        'pma_xml_export',
        {'version': '1.0', 'xmlns:pma': 'https://www.phpmyadmin.net/some_doc_url/'},
        schema,
        e('database', {'name': 'shop'}, rows),
    )
    file = xml_file(
        random,
        root,
        ['pma_xml_export', 'database', 'table'],
        by={'column': 'name'},
        style=Style(indent='    ', has_comments=True),
    )
    for column in file.tables[0].columns:
        # The name of the table, which clashes with the column of that name.
        column.is_optional |= not column.steps
    return file


@kind
def phpmyadmin_json(random):
    rows = rows_of(random)
    value = [
        {'type': 'header', 'version': '5.2.1', 'comment': 'Export to JSON plugin for PHPMyAdmin'},
        {'type': 'database', 'name': 'shop'},
        {'type': 'table', 'name': 'products', 'database': 'shop', 'data': rows},
    ]
    return File(write_json(value), 'json', [flatten_json(rows)], is_ambiguous=True, is_checked=False)


@kind
def sql_server_raw(random):
    rows = [e('row', {name: value for name, value in row.items() if value is not None}) for row in rows_of(random)]
    return xml_file(random, e('products', rows), ['products', 'row'], style=Style(indent=None, declared=None))


@kind
def sql_server_without_a_root(random):
    """As it is without ROOT: several elements one after the other, which is not well-formed."""
    rows = [e('row', {name: value for name, value in row.items() if value is not None}) for row in rows_of(random)]
    data = b''.join(write_xml(row, Style(indent=None, declared=None)) for row in rows)
    return File(data, 'xml', [flatten(e('root', rows), ['root', 'row'])], is_ambiguous=True, is_checked=False)


@kind
def sql_server_auto(random):
    """A join: the warehouses of each product are below it."""
    products = [
        e(
            'p',
            {'sku': product.sku, 'name': product.name},
            [e('w', {'warehouse': warehouse, 'qty': str(at * 3)}) for at, warehouse in enumerate(('BER', 'HAM'))],
        )
        for product in draw_products(random)
    ]
    return xml_file(random, e('root', products), ['root', 'p'], ['w'], style=Style(indent=None, declared=None))


@kind
def sql_server_elements_with_nil(random):
    products = [
        e(
            'product',
            [e(name, value) if value is not None else e(name, {'xsi:nil': 'true'}) for name, value in row.items()],
        )
        for row in rows_of(random)
    ]
    return xml_file(random, e('products', XSI, products), ['products', 'product'])


@kind
def ado_rowset(random):
    """The columns are described ahead; a value that is missing has no attribute."""
    rows = rows_of(random)
    types = [
        e(
            's:AttributeType',
            {'name': name, 'rs:number': str(at), 'rs:nullable': 'true'},
            e('s:datatype', {'dt:type': 'string', 'dt:maxLength': '50'}),
        )
        for at, name in enumerate(rows[0], 1)
    ]
    names = {
        'xmlns:s': 'uuid:BDC6E3F0-6DA3-11d1-A2A3-00AA00C14882',
        'xmlns:dt': 'uuid:C2F41010-65B3-11d1-A29F-00AA00C14882',
        'xmlns:rs': 'urn:schemas-microsoft-com:rowset',
        'xmlns:z': '#RowsetSchema',
    }
    schema = e(
        's:Schema',
        {'id': 'RowsetSchema'},
        e(
            's:ElementType',
            {'name': 'row', 'content': 'eltOnly', 'rs:updatable': 'true'},
            types,
            e('s:extends', {'type': 'rs:rowbase'}),
        ),
    )
    data = e(
        'rs:data', [e('z:row', {name: value for name, value in row.items() if value is not None}) for row in rows]
    )
    return xml_file(
        random,
        e('xml', names, schema, data),
        ['xml', 'rs:data', 'z:row'],
        style=Style(declared=None, quote="'", newline='\r\n'),
    )


@kind
def access_export(random):
    """Blanks in the names of columns are written by their number."""
    products = draw_products(random)
    rows = [
        e(
            'Products',
            e('ID', product.id),
            e('Article_x0020_No', product.sku),
            e('Name', product.name),
            e('In_x0020_Stock', product.qty),
            e('Price_x0020__x0028_EUR_x0029_', product.price),
        )
        for product in products
    ]
    root = e(
        'dataroot',
        {
            'xmlns:od': 'urn:schemas-microsoft-com:officedata',
            'generated': '2026-11-25T06:30:00',
            **XSI,
            'xsi:noNamespaceSchemaLocation': 'Products.xsd',
        },
        rows,
    )
    file = xml_file(random, root, ['dataroot', 'Products'], style=Style(has_mark=True, newline='\r\n'))
    decoded = [
        {'ID': one.id, 'Article No': one.sku, 'Name': one.name, 'In Stock': one.qty, 'Price (EUR)': one.price}
        for one in products
    ]
    file.tables.append(simple_table(decoded))
    return file


@kind
def filemaker_result(random):
    """Cells by their place, below the names of the columns."""
    rows = rows_of(random)
    metadata = [e('FIELD', {'EMPTYOK': 'YES', 'MAXREPEAT': '1', 'NAME': name, 'TYPE': 'TEXT'}) for name in rows[0]]
    found = [
        e('ROW', {'MODID': '0', 'RECORDID': str(at)}, [e('COL', e('DATA', value)) for value in row.values()])
        for at, row in enumerate(rows, 1)
    ]
    root = e(
        'FMPXMLRESULT',
        {'xmlns': 'http://www.filemaker.com/fmpxmlresult'},
        e('ERRORCODE', '0'),
        e('PRODUCT', {'BUILD': '11-08-2021', 'NAME': 'FileMaker', 'VERSION': 'ProAdvanced 19'}),
        e('DATABASE', {'DATEFORMAT': 'D.m.yyyy', 'LAYOUT': '', 'NAME': 'stock.fmp12', 'RECORDS': str(len(rows))}),
        e('METADATA', metadata),
        e('RESULTSET', {'FOUND': str(len(rows))}, found),
    )
    table = simple_table([{name: cell or '' for name, cell in row.items()} for row in rows])
    return File(write_xml(root, Style(indent=None)), 'xml', [table], is_ambiguous=True, is_checked=False)


@kind
def filemaker_dso(random):
    rows = [e('ROW', {'MODID': '0', 'RECORDID': str(at)}, elements(row)) for at, row in enumerate(rows_of(random), 1)]
    root = e(
        'FMPDSORESULT',
        {'xmlns': 'http://www.filemaker.com/fmpdsoresult'},
        e('ERRORCODE', '0'),
        e('DATABASE', 'stock.fmp12'),
        e('LAYOUT'),
        rows,
    )
    return xml_file(random, root, ['FMPDSORESULT', 'ROW'], style=Style(indent=None))


def schema_of(row):
    columns = [e('xs:element', {'name': name, 'type': 'xs:string', 'minOccurs': '0'}) for name in row]
    inner = e('xs:element', {'name': 'Products'}, e('xs:complexType', e('xs:sequence', columns)))
    return e(
        'xs:schema',
        {
            'id': 'NewDataSet',
            'xmlns': '',
            'xmlns:xs': 'http://www.w3.org/2001/XMLSchema',
            'xmlns:msdata': 'urn:schemas-microsoft-com:xml-msdata',
        },
        e(
            'xs:element',
            {'name': 'NewDataSet', 'msdata:IsDataSet': 'true'},
            e('xs:complexType', e('xs:choice', {'minOccurs': '0', 'maxOccurs': 'unbounded'}, inner)),
        ),
    )


@kind
def dot_net_data_set(random):
    rows = rows_of(random)
    root = e('NewDataSet', schema_of(rows[0]), [e('Products', elements(row)) for row in rows])
    return xml_file(random, root, ['NewDataSet', 'Products'])


@kind
def dot_net_diffgram(random):
    """With the values before the change, which are no rows."""
    rows = rows_of(random)
    names = {
        'xmlns:msdata': 'urn:schemas-microsoft-com:xml-msdata',
        'xmlns:diffgr': 'urn:schemas-microsoft-com:xml-diffgram-v1',
    }
    products = [
        e(
            'Products',
            {
                'diffgr:id': f'Products{at + 1}',
                'msdata:rowOrder': str(at),
                **({'diffgr:hasChanges': 'modified'} if at == 0 else {}),
            },
            elements(row),
        )
        for at, row in enumerate(rows)
    ]
    before = e(
        'diffgr:before',
        e('Products', {'diffgr:id': 'Products1', 'msdata:rowOrder': '0'}, elements({**rows[0], 'qty': '99999'})),
    )
    diffgram = e('diffgr:diffgram', names, e('NewDataSet', products), before)
    root = e('DataSet', {'xmlns': 'http://tempuri.org/'}, schema_of(rows[0]), diffgram)
    return xml_file(random, root, ['DataSet', 'diffgr:diffgram', 'NewDataSet', 'Products'])


@kind
def dbunit_flat(random):
    rows = [
        e('PRODUCTS', {name.upper(): value for name, value in row.items() if value is not None})
        for row in rows_of(random)
    ]
    return xml_file(random, e('dataset', rows), ['dataset', 'PRODUCTS'])


@kind
def oracle_rowset(random):
    rows = [
        e('ROW', {'num': str(at)}, [e(name.upper(), value) for name, value in row.items() if value is not None])
        for at, row in enumerate(rows_of(random), 1)
    ]
    return xml_file(random, e('ROWSET', rows), ['ROWSET', 'ROW'], style=Style())


@kind
def sql_developer(random):
    rows = [
        e('ROW', [e('COLUMN', {'NAME': name.upper()}, value) for name, value in row.items()])
        for row in rows_of(random)
    ]
    return xml_file(
        random,
        e('RESULTS', rows),
        ['RESULTS', 'ROW'],
        by={'COLUMN': 'NAME'},
        style=Style(has_cdata=True, indent='\t'),
    )


@kind
def postgres_table_to_xml(random):
    rows = [
        e(
            'row',
            [e(name, value) if value is not None else e(name, {'xsi:nil': 'true'}) for name, value in row.items()],
        )
        for row in rows_of(random)
    ]
    return xml_file(random, e('products', XSI, rows), ['products', 'row'], style=Style(declared=None))


@kind
def navicat_records(random):
    rows = [e('RECORD', elements({name: value or '' for name, value in row.items()})) for row in rows_of(random)]
    return xml_file(random, e('RECORDS', rows), ['RECORDS', 'RECORD'], style=Style(is_paired=True, indent='\t'))


@kind
def dbeaver_json(random):
    """A query as the name of its rows."""
    return json_file(
        random,
        {'select p.id, p.sku from shop.products p\nwhere p.qty > 0': rows_of(random)},
        ['select p.id, p.sku from shop.products p\nwhere p.qty > 0'],
    )


def frame_of(rows):
    return pandas.DataFrame(rows, dtype=object)


@kind
def pandas_to_xml(random):
    rows = rows_of(random)
    out = frame_of(rows).to_xml()
    table = simple_table(
        [{'index': str(at), **{name: cell or '' for name, cell in row.items()}} for at, row in enumerate(rows)]
    )
    return text_file(out, 'xml', [table], is_checked=False)


@kind
def pandas_to_xml_attributes(random):
    rows = rows_of(random)
    out = frame_of(rows).to_xml(
        index=False, attr_cols=['id', 'sku', 'name', 'ean', 'price', 'qty'], row_name='product', root_name='products'
    )
    return text_file(
        out,
        'xml',
        [simple_table([{name: cell or '' for name, cell in row.items()} for row in rows])],
        is_checked=False,
    )


def typed(rows):
    """With numbers, as a frame has them."""
    return [{**row, 'id': int(row['id']), 'qty': int(row['qty']), 'price': float(row['price'])} for row in rows]


def texts(row):
    """As pandas writes numbers and what is missing."""
    return {name: '' if cell is None else str(cell) for name, cell in row.items()}


def frame_file(random, orient, tables, suffix='json', **options):
    rows = typed(rows_of(random))
    out = frame_of(rows).to_json(orient=orient, force_ascii=random.random() < 0.5, **options)
    properties = {'is_ambiguous': orient in ('columns', 'values')}
    return text_file(out, suffix, tables(rows), is_checked=False, **properties)


def records_of(rows):
    # A number without decimals is written as 10.0.
    return [simple_table(list(map(texts, rows)))]


@kind
def pandas_records(random):
    return frame_file(random, 'records', records_of)


@kind
def pandas_records_indented(random):
    return frame_file(random, 'records', records_of, indent=4)


@kind
def pandas_lines(random):
    return frame_file(random, 'records', records_of, 'ndjson', lines=True)


@kind
def pandas_split(random):
    def tables(rows):
        return [simple_table([{'index': str(at), **texts(row)} for at, row in enumerate(rows)], optional=['index'])]

    return frame_file(random, 'split', tables)


@kind
def pandas_index(random):
    def tables(rows):
        return [simple_table([{'key': str(at), **texts(row)} for at, row in enumerate(rows)])]

    return frame_file(random, 'index', tables)


@kind
def pandas_columns(random):
    """A map of columns: read as a map of records, rows would become columns."""

    def tables(rows):
        return [simple_table([{'key': str(at), **texts(row)} for at, row in enumerate(rows)], optional=['key'])]

    return frame_file(random, 'columns', tables)


@kind
def pandas_values(random):
    """No names at all."""

    def tables(rows):
        return [
            simple_table([{f'column_{at}': cell for at, cell in enumerate(texts(row).values(), 1)} for row in rows])
        ]

    return frame_file(random, 'values', tables)


@kind
def pandas_table(random):
    """The columns are described ahead."""

    def tables(rows):
        return [simple_table([{'index': str(at), **texts(row)} for at, row in enumerate(rows)])]

    return frame_file(random, 'table', tables)


@kind
def columns_as_arrays(random):
    """As R and JavaScript write frames: an array for each column."""
    rows = rows_of(random)
    value = {name: [row[name] for row in rows] for name in rows[0]}
    table = simple_table([{name: cell or '' for name, cell in row.items()} for row in rows])
    return File(write_json(value, JsonStyle()), 'json', [table], is_ambiguous=True, is_checked=False)


@kind
def jq_output(random):
    """Objects over several lines, one after the other."""
    values = rows_of(random)
    text = '\n'.join(dump(value, JsonStyle(indent='  ')) for value in values) + '\n'
    return text_file(text, 'json', [flatten_json(values)])


@kind
def objects_without_a_space_between(random):
    values = rows_of(random)
    return text_file(''.join(map(dump, values)), 'json', [flatten_json(values)])


@kind
def mongoexport(random):
    values = [
        {
            '_id': {'$oid': f'{int(product.id):024x}'},
            'sku': product.sku,
            'name': product.name,
            'price': {'$numberDecimal': product.price},
            'qty': Number(product.qty),
            'total': {'$numberLong': '9007199254740993'},
            'updated': {'$date': product.updated},
            'tags': ['new', 'sale'],
        }
        for product in draw_products(random)
    ]
    return lines_file(values)


@kind
def mongoexport_array(random):
    values = [
        {
            '_id': {'$oid': f'{int(product.id):024x}'},
            'sku': product.sku,
            'stock': {'berlin': Number(product.qty), 'hamburg': Number(0)},
        }
        for product in draw_products(random)
    ]
    return json_file(random, values)


@kind
def elasticsearch_hits(random):
    hits = [
        {
            '_index': 'products',
            '_id': product.id,
            '_score': Number('1.0'),
            '_source': {
                'sku': product.sku,
                'name': product.name,
                'qty': Number(product.qty),
                'price': Number(product.price),
            },
        }
        for product in draw_products(random)
    ]
    value = {
        'took': Number(3),
        'timed_out': False,
        '_shards': {'total': Number(1), 'successful': Number(1), 'failed': Number(0)},
        'hits': {'total': {'value': Number(len(hits)), 'relation': 'eq'}, 'max_score': Number('1.0'), 'hits': hits},
    }
    return json_file(random, value, ['hits', 'hits'])


@kind
def elasticsearch_bulk(random):
    """A line that says what to do, and a line with the product."""
    products = list(draw_products(random))
    values = [
        line
        for product in products
        for line in (
            {'index': {'_index': 'products', '_id': product.id}},
            {'sku': product.sku, 'qty': Number(product.qty)},
        )
    ]
    table = simple_table([{'_id': product.id, 'sku': product.sku, 'qty': str(product.qty)} for product in products])
    return File(lines_file(values).data, 'ndjson', [table], is_ambiguous=True, is_checked=False)


@kind
def couchdb_documents(random):
    rows = [
        {
            'id': product.sku,
            'key': product.sku,
            'value': {'rev': f'1-{product.id}'},
            'doc': {'_id': product.sku, '_rev': f'1-{product.id}', 'name': product.name, 'qty': Number(product.qty)},
        }
        for product in draw_products(random)
    ]
    return json_file(random, {'total_rows': Number(len(rows)), 'offset': Number(0), 'rows': rows}, ['rows'])


@kind
def dynamodb_scan(random):
    items = [
        {
            'sku': {'S': product.sku},
            'qty': {'N': product.qty},
            'price': {'N': product.price},
            'active': {'BOOL': True},
            'name': {'S': product.name},
        }
        for product in draw_products(random)
    ]
    return json_file(
        random,
        {'Items': items, 'Count': Number(len(items)), 'ScannedCount': Number(len(items)), 'ConsumedCapacity': None},
        ['Items'],
    )


@kind
def bigquery_rows(random):
    """Cells by their place, below the names of the columns."""
    rows = rows_of(random)
    value = {
        'kind': 'bigquery#queryResponse',
        'schema': {'fields': [{'name': name, 'type': 'STRING', 'mode': 'NULLABLE'} for name in rows[0]]},
        'totalRows': str(len(rows)),
        'rows': [{'f': [{'v': cell} for cell in row.values()]} for row in rows],
        'jobComplete': True,
    }
    table = simple_table([{name: cell or '' for name, cell in row.items()} for row in rows])
    return File(write_json(value, JsonStyle(indent='  ')), 'json', [table], is_ambiguous=True, is_checked=False)


@kind
def ckan_datastore(random):
    rows = [
        {'_id': Number(at), 'sku': product.sku, 'name': product.name, 'qty': Number(product.qty)}
        for at, product in enumerate(draw_products(random), 1)
    ]
    fields = [{'id': name, 'type': 'text', 'info': {'label': name}} for name in rows[0]]
    return json_file(
        random,
        {
            'help': 'https://data.example/api',
            'success': True,
            'result': {'fields': fields, 'records': rows, 'total': Number(len(rows))},
        },
        ['result', 'records'],
    )


@kind
def salesforce_query(random):
    records = [
        {
            'attributes': {'type': 'Product2', 'url': f'/services/data/v59.0/sobjects/Product2/01t{product.id}'},
            'Id': f'01t{product.id}',
            'ProductCode': product.sku,
            'Name': product.name,
            'Stock__c': Number(f'{product.qty}.0'),
            'Owner': {'attributes': {'type': 'User'}, 'Name': 'Anna'},
        }
        for product in draw_products(random)
    ]
    return json_file(random, {'totalSize': Number(len(records)), 'done': True, 'records': records}, ['records'])


@kind
def airtable_records(random):
    """A field that is empty is left out."""
    records = [
        {
            'id': f'rec{product.id}',
            'createdTime': product.updated,
            'fields': {
                'SKU': product.sku,
                'Name': product.name,
                **({'Qty': Number(product.qty)} if at % 3 else {}),
                'Tags': ['new', 'sale'],
            },
        }
        for at, product in enumerate(draw_products(random))
    ]
    return json_file(random, {'records': records, 'offset': 'itr1'}, ['records'])


@kind
def google_sheets_values(random):
    """Rows end where their last cell is."""
    products = draw_products(random)
    rows = [['SKU', 'Name', 'Qty', 'Note']] + [
        [product.sku, product.name, product.qty] + (['urgent'] if at % 2 else [])
        for at, product in enumerate(products)
    ]
    value = {'range': 'Stock!A1:D1000', 'majorDimension': 'ROWS', 'values': rows}
    table = simple_table([rows[0], *([*row, ''][:4] for row in rows[1:])])
    return File(write_json(value, JsonStyle(indent='  ')), 'json', [table], is_checked=False)


@kind
def datasette_rows(random):
    rows = rows_of(random)
    value = {
        'database': 'shop',
        'table': 'products',
        'rows': [list(row.values()) for row in rows],
        'columns': list(rows[0]),
        'truncated': False,
        'primary_keys': ['id'],
    }
    table = simple_table([{name: cell or '' for name, cell in row.items()} for row in rows])
    return File(write_json(value, JsonStyle(indent='  ')), 'json', [table], is_checked=False)


@kind
def columns_and_data(random):
    rows = rows_of(random)
    value = {'columns': list(rows[0]), 'data': [list(row.values()) for row in rows]}
    table = simple_table([{name: cell or '' for name, cell in row.items()} for row in rows])
    return File(write_json(value, COMPACT), 'json', [table], is_checked=False)


@kind
def arrays_of_arrays(random):
    rows = rows_of(random)
    value = [list(rows[0]), *(list(row.values()) for row in rows)]
    table = simple_table([{name: cell or '' for name, cell in row.items()} for row in rows])
    return File(write_json(value, JsonStyle(indent=random.choice([None, '  ']))), 'json', [table], is_checked=False)


@kind
def arrays_on_lines(random):
    """An array a line, with the names in the first."""
    rows = rows_of(random)
    lines = [list(rows[0]), *(list(row.values()) for row in rows)]
    table = simple_table([{name: cell or '' for name, cell in row.items()} for row in rows])
    return File(
        ''.join(f'{dump(line)}\n' for line in lines).encode(), 'ndjson', [table], is_ambiguous=True, is_checked=False
    )


@kind
def sqlite_json(random):
    """A line break after each row, as its shell writes."""
    values = rows_of(random)
    text = '[' + ',\n'.join(map(dump, values)) + ']\n'
    return text_file(text, 'json', [flatten_json(values)])


@kind
def excel_by_power_query(random):
    """As a frame of the web: columns with spaces and signs."""
    values = [
        {
            'Article No.': product.sku,
            'Stock (pcs)': Number(product.qty),
            'Price €/pc': Number(product.price),
            'Größe/Farbe': 'M/rot',
        }
        for product in draw_products(random)
    ]
    return json_file(random, {'Table1': values}, ['Table1'])
