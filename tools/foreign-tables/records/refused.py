"""What is no table: pages, answers of errors, documents of other kinds, and files that are to do harm."""
import json

from records.catalogue import draw_products
from records.files import File, kind, refused, text_file
from records.json_text import Number, dump, flatten as flatten_json
from records.truth import simple_table
from records.xml_tree import Style, e, flatten, write_xml


def page(title, body, head=''):
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title>{head}</head>\n'
        f'<body>\n{body}\n</body>\n</html>\n'
    )


@kind
def login_page(random):
    form = (
        '<form method="post" action="/login"><table><tr><td>User</td><td><input name="user"></td></tr><tr>'
        '<td>Password</td><td><input type="password" name="pw"></td></tr><tr><td></td><td><button>Sign in</button>'
        '</td></tr></table></form>'
    )
    return refused(
        page('Sign in', f'<h1>Sign in</h1>{form}<p><a href="/forgot">Forgot your password?</a></p>'), 'xls'
    )


@kind
def page_not_found(random):
    return refused(
        page('404 Not Found', '<center><h1>404 Not Found</h1></center>\n<hr><center>nginx/1.24.0</center>'), 'xml'
    )


@kind
def maintenance_page(random):
    return refused(
        '<html><head><title>503 Service Temporarily Unavailable</title></head><body bgcolor="white">'
        '<h1>We are back soon</h1><p>Maintenance until 6:00.</p></body></html>',
        'xml',
    )


@kind
def maintenance_page_in_xhtml(random):
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN"'
        ' "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n'
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Service unavailable</title></head><body>'
        '<p>Please come back later.</p><p>Thank you.</p></body></html>'
    )
    return refused(text, 'xml')


@kind
def captcha_page(random):
    script = (
        '<script>window._cf_chl_opt={cvId:"3",cZone:"shop.example"};</script>'
        '<noscript>Enable JavaScript and cookies to continue</noscript>'
    )
    return refused(
        page(
            'Just a moment...',
            f'<div class="main-wrapper"><h1>shop.example</h1>{script}</div>',
            '<meta http-equiv="refresh" content="390">',
        ),
        'json',
    )


@kind
def directory_listing(random):
    """A table with a header, but of files."""
    rows = ''.join(
        '<tr><td valign="top"><img src="/icons/unknown.gif" alt="[   ]"></td><td>'
        f'<a href="stock-{at}.csv">stock-{at}.csv</a></td><td align="right">2026-11-2{at} 06:30  </td>'
        f'<td align="right">1.{at}M</td><td>&nbsp;</td></tr>\n'
        for at in range(4)
    )
    table = (
        '<h1>Index of /export</h1>\n<table><tr><th valign="top"><img src="/icons/blank.gif" alt="[ICO]"></th><th>'
        '<a href="?C=N;O=D">Name</a></th><th><a href="?C=M;O=A">Last modified</a></th><th>'
        '<a href="?C=S;O=A">Size</a></th><th><a href="?C=D;O=A">Description</a></th></tr><tr><th colspan="5"><hr>'
        f'</th></tr>\n{rows}</table>\n<address>Apache/2.4.57 (Debian) Server</address>'
    )
    return refused(page('Index of /export', table), 'html')


@kind
def directory_listing_without_a_table(random):
    lines = ''.join(
        f'<a href="stock-{at}.csv">stock-{at}.csv</a>          25-Nov-2026 06:30        12{at}45\n' for at in range(5)
    )
    return refused(
        '<html>\n<head><title>Index of /export/</title></head>\n<body>\n<h1>Index of /export/</h1><hr><pre>'
        f'<a href="../">../</a>\n{lines}</pre><hr></body>\n</html>',
        'xls',
    )


@kind
def blog_in_rss(random):
    items = [
        e(
            'item',
            e('title', f'News {at}'),
            e('link', f'https://blog.example/{at}'),
            e('pubDate', 'Wed, 25 Nov 2026 06:30:00 +0000'),
            e('guid', {'isPermaLink': 'true'}, f'https://blog.example/{at}'),
            e('description', 'We have opened a shop.'),
        )
        for at in range(8)
    ]
    root = e(
        'rss',
        {'version': '2.0'},
        e('channel', e('title', 'Our blog'), e('link', 'https://blog.example'), e('description', 'News'), items),
    )
    return refused(write_xml(root, Style()), 'xml')


@kind
def blog_in_atom(random):
    entries = [
        e(
            'entry',
            e('title', f'News {at}'),
            e('link', href=f'https://blog.example/{at}'),
            e('id', f'tag:blog.example,2026:{at}'),
            e('updated', '2026-11-25T06:30:00Z'),
            e('content', 'Hello', type='html'),
        )
        for at in range(6)
    ]
    return refused(
        write_xml(
            e('feed', {'xmlns': 'http://www.w3.org/2005/Atom'}, e('title', 'Our blog'), e('id', 'x'), entries),
            Style(),
        ),
        'xml',
    )


@kind
def sitemap(random):
    urls = [
        e(
            'url',
            e('loc', f'https://shop.example/p/{at}'),
            e('lastmod', '2026-11-25'),
            e('changefreq', 'daily'),
            e('priority', '0.8'),
        )
        for at in range(20)
    ]
    return refused(
        write_xml(e('urlset', {'xmlns': 'http://www.sitemaps.org/schemas/sitemap/0.9'}, urls), Style()), 'xml'
    )


@kind
def sitemap_index(random):
    maps = [
        e('sitemap', e('loc', f'https://shop.example/sitemap-{at}.xml'), e('lastmod', '2026-11-25'))
        for at in range(3)
    ]
    return refused(
        write_xml(e('sitemapindex', {'xmlns': 'http://www.sitemaps.org/schemas/sitemap/0.9'}, maps), Style()), 'xml'
    )


@kind
def bucket_listing(random):
    contents = [
        e(
            'Contents',
            e('Key', f'export/stock-{at}.csv'),
            e('LastModified', '2026-11-25T06:30:00.000Z'),
            e('ETag', f'"{at}ab"'),
            e('Size', f'12{at}'),
            e('StorageClass', 'STANDARD'),
        )
        for at in range(5)
    ]
    root = e(
        'ListBucketResult',
        {'xmlns': 'http://s3.amazonaws.com/doc/2006-03-01/'},
        e('Name', 'alpina'),
        e('MaxKeys', '1000'),
        e('IsTruncated', 'false'),
        contents,
    )
    return refused(write_xml(root, Style(indent=None)), 'xml')


@kind
def bucket_error(random):
    return refused(
        '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code>'
        '<Message>Access Denied</Message><RequestId>X1</RequestId><HostId>abc=</HostId></Error>',
        'xml',
    )


@kind
def soap_fault(random):
    return refused(
        '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault>'
        '<faultcode>s:Client</faultcode><faultstring>Session expired</faultstring><detail><code>401</code>'
        '</detail></s:Fault></s:Body></s:Envelope>',
        'xml',
    )


@kind
def empty_list_in_xml(random):
    return refused('<?xml version="1.0" encoding="utf-8"?>\n<products count="0"/>\n', 'xml')


@kind
def header_without_products(random):
    return refused(
        '<?xml version="1.0"?>\n<export><header><date>2026-11-25</date><supplier>Alpina</supplier></header>'
        '<products></products><footer><count>0</count></footer></export>',
        'xml',
    )


@kind
def text_in_xml(random):
    return refused(
        '<?xml version="1.0"?>\n<message>The export has been started. You will get a mail.</message>', 'xml'
    )


@kind
def xml_schema(random):
    fields = [
        e('xs:element', {'name': name, 'type': 'xs:string', 'minOccurs': '0'})
        for name in ('sku', 'name', 'price', 'qty', 'ean')
    ]
    root = e(
        'xs:schema',
        {'xmlns:xs': 'http://www.w3.org/2001/XMLSchema'},
        e('xs:element', {'name': 'product'}, e('xs:complexType', e('xs:sequence', fields))),
    )
    return refused(write_xml(root, Style()), 'xml')


@kind
def svg_picture(random):
    paths = [e('path', {'d': f'M{at} 0L10 {at}', 'fill': '#333', 'id': f'p{at}'}) for at in range(9)]
    return refused(
        write_xml(e('svg', {'xmlns': 'http://www.w3.org/2000/svg', 'viewBox': '0 0 10 10'}, paths), Style()), 'xml'
    )


@kind
def web_service_description(random):
    messages = [
        e(
            'wsdl:message',
            {'name': f'Get{at}Request'},
            e('wsdl:part', {'name': 'parameters', 'element': f'tns:Get{at}'}),
        )
        for at in range(6)
    ]
    return refused(
        write_xml(
            e('wsdl:definitions', {'xmlns:wsdl': 'http://schemas.xmlsoap.org/wsdl/', 'name': 'Shop'}, messages),
            Style(),
        ),
        'xml',
    )


@kind
def text_document_as_xml(random):
    body = ''.join(f'<text:p text:style-name="P1">Paragraph {at}</text:p>' for at in range(6))
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
        ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2"'
        ' office:mimetype="application/vnd.oasis.opendocument.text">'
        f'<office:body><office:text>{body}</office:text></office:body></office:document>'
    )
    return refused(text, 'fodt')


@kind
def property_list(random):
    items = ''.join(f'<key>setting{at}</key><string>value {at}</string>' for at in range(4))
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n'
        f'<plist version="1.0"><dict>{items}</dict></plist>'
    )
    return refused(text, 'xml')


@kind
def error_in_json(random):
    return refused(
        '{"error":{"code":401,"message":"The access token expired","details":[{"type":"auth","reason":"expired"}]}}',
        'json',
    )


@kind
def errors_in_json(random):
    errors = [
        {'message': "Field 'sku' does not exist", 'locations': [{'line': 1, 'column': 9}], 'path': ['products']},
        {'message': 'Throttled', 'extensions': {'code': 'THROTTLED'}},
    ]
    return refused(json.dumps({'errors': errors, 'data': None}), 'json')


@kind
def problem_in_json(random):
    problem = {'type': 'https://api.example/problems/limit', 'title': 'Too many requests', 'status': 429}
    return refused(json.dumps({**problem, 'detail': 'Wait 30 seconds', 'instance': '/products'}), 'json')


@kind
def success_without_content(random):
    return refused('{"status":"ok","message":"Export queued","job":"7f3a","eta":120}', 'json')


@kind
def openapi_document(random):
    paths = {
        f'/products/{at}': {
            'get': {
                'summary': 'A product',
                'parameters': [{'name': 'id', 'in': 'path', 'required': True}],
                'responses': {'200': {'description': 'OK'}},
            }
        }
        for at in range(5)
    }
    return refused(
        json.dumps(
            {
                'openapi': '3.1.0',
                'info': {'title': 'Shop', 'version': '1'},
                'servers': [{'url': 'https://api.example'}],
                'paths': paths,
                'tags': [{'name': 'products'}, {'name': 'orders'}],
            },
            indent=2,
        ),
        'json',
    )


@kind
def package_json(random):
    value = {
        'name': 'shop',
        'version': '1.0.0',
        'private': True,
        'scripts': {'start': 'node .', 'test': 'vitest'},
        'keywords': ['shop', 'feed'],
        'dependencies': {'react': '^19.0.0', 'zod': '^4.0.0'},
    }
    return refused(json.dumps(value, indent=2), 'json')


@kind
def json_schema(random):
    value = {
        '$schema': 'https://json-schema.org/draft/2020-12/schema',
        'type': 'object',
        'properties': {name: {'type': 'string', 'description': name} for name in ('sku', 'name', 'qty', 'price')},
        'required': ['sku'],
    }
    return refused(json.dumps(value), 'json')


@kind
def places_on_a_map(random):
    """GeoJSON: a table of shops, if somebody wants it."""
    features = [
        {
            'type': 'Feature',
            'geometry': {'type': 'Point', 'coordinates': [Number('13.4'), Number('52.5')]},
            'properties': {'store': f'S-{at}', 'city': 'Berlin'},
        }
        for at in range(4)
    ]
    value = {'type': 'FeatureCollection', 'features': features}
    return text_file(dump(value), 'json', [flatten_json(value, ['features'])], is_ambiguous=True, is_checked=False)


@kind
def empty_array(random):
    return refused('[]\n', 'json')


@kind
def empty_object(random):
    return refused('{}', 'json')


@kind
def empty_list_in_json(random):
    return refused('{"products":[],"total":0,"page":1}', 'json')


@kind
def list_of_empty_objects(random):
    return refused('[{},{},{}]', 'json')


@kind
def null_alone(random):
    return refused('null', 'json')


@kind
def text_alone(random):
    return refused('"Unauthorized"', 'json')


@kind
def list_of_texts(random):
    return refused(json.dumps([product.sku for product in draw_products(random)]), 'json')


@kind
def cut_off_xml(random):
    items = [e('product', e('sku', one.sku), e('qty', one.qty)) for one in draw_products(random, 12)]
    data = write_xml(e('products', items), Style())
    return refused(data[: len(data) * 2 // 3], 'xml')


@kind
def cut_off_between_products(random):
    """All that is there is whole; only the end of the document is missing."""
    items = [e('product', e('sku', one.sku), e('qty', one.qty)) for one in draw_products(random, 12)]
    data = write_xml(e('products', items), Style())
    return refused(data[: data.rindex(b'  <product>')], 'xml')


@kind
def cut_off_json(random):
    text = dump([{'sku': one.sku, 'qty': Number(one.qty), 'name': one.name} for one in draw_products(random, 12)])
    return refused(text[: len(text) * 2 // 3], 'json')


@kind
def cut_off_json_between_products(random):
    text = dump([{'sku': one.sku, 'qty': Number(one.qty)} for one in draw_products(random, 12)])
    return refused(text[: text.rindex(',{')], 'json')


@kind
def cut_off_lines(random):
    text = ''.join(
        dump({'sku': one.sku, 'qty': Number(one.qty), 'name': one.name}) + '\n' for one in draw_products(random, 12)
    )
    return refused(text[:-15], 'ndjson')


@kind
def broken_line(random):
    """One of the lines is no JSON."""
    lines = [dump({'sku': one.sku, 'qty': Number(one.qty)}) for one in draw_products(random, 12)]
    lines[7] = lines[7].replace(',', '')
    return refused('\n'.join(lines), 'ndjson')


@kind
def ampersand_in_xml(random):
    """As programs write XML that put texts together."""
    items = ''.join(
        f'<product><sku>A-{at}</sku><name>Black & Decker {at}</name><qty>{at}</qty></product>\n' for at in range(5)
    )
    return refused(f'<?xml version="1.0" encoding="utf-8"?>\n<products>\n{items}</products>', 'xml')


@kind
def unknown_entity(random):
    items = ''.join(f'<product><sku>A-{at}</sku><name>Caf&eacute;&nbsp;{at}</name></product>' for at in range(5))
    rows = [{'sku': f'A-{at}', 'name': f'Café\u00a0{at}'} for at in range(5)]
    return text_file(
        f'<products>{items}</products>', 'xml', [simple_table(rows)], is_ambiguous=True, is_checked=False
    )


@kind
def tags_that_do_not_match(random):
    items = ''.join(f'<product><sku>A-{at}</sku><qty>{at}</qty></product>' for at in range(5))
    return refused(f'<products>{items.replace("<qty>3</qty>", "<qty>3</sku>")}</products>', 'xml')


@kind
def two_documents(random):
    text = (
        '<?xml version="1.0"?>\n<products><product><sku>A</sku><qty>1</qty></product><product><sku>B</sku>'
        '<qty>2</qty></product></products>\n'
    )
    return refused(text * 2, 'xml')


@kind
def warning_of_php_ahead(random):
    items = [e('product', e('sku', one.sku), e('qty', one.qty)) for one in draw_products(random)]
    ahead = (
        b'<br />\n<b>Warning</b>:  mysqli_connect(): (HY000/2002) in <b>/var/www/feed.php</b> on line <b>12</b>'
        b'<br />\n'
    )
    return refused(ahead + write_xml(e('products', items), Style()), 'xml')


@kind
def warning_of_php_behind(random):
    items = [e('product', e('sku', one.sku), e('qty', one.qty)) for one in draw_products(random)]
    return refused(
        write_xml(e('products', items), Style()) + b'<br />\n<b>Fatal error</b>:  Allowed memory size exhausted',
        'xml',
    )


@kind
def json_with_comments(random):
    return refused('// generated\n[\n  {"sku": "A-1", "qty": 5}, // first\n  {"sku": "A-2", "qty": 7},\n]\n', 'json')


@kind
def words_of_python(random):
    return refused("[{'sku': 'A-1', 'qty': 5, 'active': True}, {'sku': 'A-2', 'qty': 7, 'active': None}]", 'json')


@kind
def document_type_with_entities(random):
    """Its own entities are refused, even if they are harmless."""
    items = ''.join(f'<product><sku>A-{at}</sku><name>&maker; {at}</name></product>' for at in range(5))
    return refused(
        f'<?xml version="1.0"?>\n<!DOCTYPE products [<!ENTITY maker "Alpina">]>\n<products>{items}</products>', 'xml'
    )


@kind
def billion_laughs(random):
    entities = ''.join(f'<!ENTITY l{at} "{f"&l{at - 1};" * 10}">' for at in range(1, 10))
    return refused(
        f'<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY l0 "lol">{entities}]>\n<products><product><sku>&l9;</sku>'
        '<qty>1</qty></product><product><sku>B</sku><qty>2</qty></product></products>',
        'xml',
    )


@kind
def entity_of_a_file(random):
    return refused(
        '<?xml version="1.0"?>\n<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<products><product>'
        '<sku>A</sku><name>&x;</name></product><product><sku>B</sku><name>b</name></product></products>',
        'xml',
    )


@kind
def entity_of_an_address(random):
    return refused(
        '<?xml version="1.0"?>\n<!DOCTYPE p [<!ENTITY % d SYSTEM "http://127.0.0.1:1/x.dtd"> %d;]>\n<products>'
        '<product><sku>A</sku><qty>1</qty></product><product><sku>B</sku><qty>2</qty></product></products>',
        'xml',
    )


@kind
def elements_nested_deeply(random):
    depth = 60_000
    return refused('<products>' + '<a>' * depth + 'x' + '</a>' * depth + '</products>', 'xml')


@kind
def arrays_nested_deeply(random):
    depth = 100_000
    return refused('[' * depth + ']' * depth, 'json')


@kind
def objects_nested_deeply(random):
    depth = 60_000
    return refused('[{"sku":"A","x":' + '{"a":' * depth + '1' + '}' * depth + '}]', 'json')


@kind
def many_attributes(random):
    attributes = ' '.join(f'a{at}="{at}"' for at in range(60_000))
    return refused(f'<products><product {attributes}/><product sku="B"/></products>', 'xml')


@kind
def many_keys(random):
    """A record of more columns than a table has."""
    value = {f'k{at}': at for at in range(60_000)}
    return refused(json.dumps([value, value]), 'json')


@kind
def zero_bytes_in_xml(random):
    return refused(
        b'<products><product><sku>A\x00</sku><qty>1</qty></product><product><sku>B</sku><qty>2</qty></product>'
        b'</products>',
        'xml',
    )


@kind
def control_characters_in_xml(random):
    """By their number, which XML does not allow either."""
    return refused(
        '<products><product><sku>A&#0;</sku><qty>1</qty></product><product><sku>B&#xFFFF;</sku><qty>2</qty>'
        '</product></products>',
        'xml',
    )


@kind
def half_characters_in_xml(random):
    return refused(
        b'<?xml version="1.0" encoding="UTF-8"?><products><product><sku>A\xc3</sku><qty>1</qty></product>'
        b'<product><sku>B\xff\xfe</sku><qty>2</qty></product></products>',
        'xml',
    )


@kind
def attribute_twice(random):
    return refused('<products><product sku="A" qty="1" sku="B"/><product sku="C" qty="2"/></products>', 'xml')


@kind
def prefix_that_is_not_declared(random):
    """Not well-formed with namespaces, but parsers without them read it."""
    products = draw_products(random)
    items = [e('item', e('g:id', one.sku), e('g:quantity', one.qty), e('g:price', one.price)) for one in products]
    root = e('rss', {'version': '2.0'}, e('channel', e('title', 'Alpina'), items))
    return File(
        write_xml(root, Style()),
        'xml',
        [flatten(root, ['rss', 'channel', 'item'])],
        is_ambiguous=True,
        is_checked=False,
    )
