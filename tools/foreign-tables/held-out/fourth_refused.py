"""The fourth set: what has no inventory, is damaged, or is only a part, so that people have to know."""
from fourth_model import HEAD, Num, asked, dump, goods, keys, lines, refused, t, tags

SPEC = 'sku=sku name=name price=#price qty=#qty ean=ean'
FEED = 'sku=sku name=name price=price stock=qty ean=ean'


def fixed(r, form, name, text):
    return refused(form, name, text)


def listed(r, form, name, count, write, around='…'):
    """write: an entry of a list of other things, from its number."""
    return refused(form, name, around.replace('…', ''.join(write(r, at) for at in range(count))))


def feed(r, count, frame=HEAD + '<products>\n…\n</products>'):
    return frame.replace('…', '\n'.join(f'<product>\n{tags(g, FEED, chr(10))}\n</product>' for g in goods(r, count)))


def cut(r, form, name, share):
    """The end is missing, as of a download that broke off."""
    items = [keys(g, SPEC) for g in goods(r, 30)]
    text = feed(r, 30) if form == 'xml' else dump({'products': items}) if form == 'json' else lines(items)
    data = text.encode()
    at = int(len(data) * share)
    if form == 'ndjson':
        # Within a line, behind a comma.
        at = data.index(b'"price"', at) + 4
    return refused(form, name, data[:at])


def page_of_many(r, form, name, frame):
    items = [keys(g, SPEC) for g in goods(r, 20)]
    return refused(form, name, dump(frame(items)))


def mixed(r, name):
    """Answers of a log: what was received and what was refused, in turn."""
    out = []
    for g in goods(r, 12):
        out += [keys(g, SPEC), {'level': 'warn', 'time': '2026-10-02T04:00:00Z', 'msg': f'image of {g.sku} not found', 'pid': 311}]
    return refused('ndjson', name, lines(out))


def bad_entity(r, name):
    products = goods(r, 9)
    for g in products:
        g.name = 'Caf\u00e9 ' + g.n
    return asked('xml', name, HEAD + '<products>' + ''.join(f'<product>{tags(g, FEED)}</product>' for g in products).replace('\u00e9', '&eacute;') + '</products>', products, 'sku name price qty ean')


def bare_ampersand(r, name):
    products = goods(r, 9)
    for g in products:
        g.name = 'Nuts & bolts ' + g.n
    return asked('xml', name, HEAD + '<products>' + ''.join(f'<product>{tags(g, FEED)}</product>' for g in products).replace('&amp;', '&') + '</products>', products, 'sku name price qty ean')


def wrong_bytes(r, form, name):
    """The declaration says UTF-8, the bytes are those of Windows."""
    products = goods(r, 10)
    for g in products:
        g.name = 'Köder für Hechte ' + g.n
    if form == 'json':
        text = dump([{'sku': g.sku, 'name': g.name, 'qty': Num(g.qty)} for g in products])
        return asked('json', name, text.encode('cp1252'), products, 'sku name qty')
    return asked('xml', name, (HEAD + '<products>' + ''.join(f'<product>{t("sku", g.sku)}{t("name", g.name)}{t("qty", g.qty)}</product>' for g in products) + '</products>').encode('cp1252'), products, 'sku name qty')


def two_lists(r, form, name):
    """Two lists that are alike: which one is meant cannot be known."""
    own, other = goods(r, 10), goods(r, 10)
    if form == 'json':
        text = dump({'shopA': [keys(g, SPEC) for g in own], 'shopB': [keys(g, SPEC) for g in other]})
    else:
        part = lambda products: ''.join(f'<product>{tags(g, FEED)}</product>' for g in products)
        text = f'{HEAD}<export><outlet>{part(own)}</outlet><regular>{part(other)}</regular></export>'
    return refused(form, name, text)


def doubled(r, name):
    """A second file was put behind the first."""
    return refused('xml', name, feed(r, 8) + '\n' + feed(r, 8))


LOGIN = '<!DOCTYPE html>\n<html lang="en"><head><title>Sign in</title><link rel="stylesheet" href="/a.css"></head><body><form method="post" action="/login"><table><tr><td>User name</td><td><input name="user"></td></tr><tr><td>Password</td><td><input type="password" name="password"></td></tr></table><button>Sign in</button></form></body></html>'
GONE = '<html>\n<head><title>404 Not Found</title></head>\n<body>\n<center><h1>404 Not Found</h1></center>\n<hr><center>nginx/1.24.0</center>\n</body>\n</html>\n'
DENIED = HEAD + '<Error><Code>AccessDenied</Code><Message>Access Denied</Message><RequestId>4QTJ</RequestId><HostId>b6f=</HostId></Error>'
FAULT = HEAD + '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault><faultcode>soap:Client</faultcode><faultstring>Invalid token</faultstring></soap:Fault></soap:Body></soap:Envelope>'
INDEX = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">\n<html><head><title>Index of /export</title></head><body><h1>Index of /export</h1><table><tr><th>Name</th><th>Last modified</th><th>Size</th><th>Description</th></tr>…</table><address>Apache/2.4 Server</address></body></html>'
BUCKET = HEAD + '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>feeds</Name><Prefix/><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>…</ListBucketResult>'

REFUSED = [
    (fixed, 'html', 'sign-in', LOGIN), (fixed, 'html', 'not-found', GONE), (fixed, 'xml', 'access-denied', DENIED), (fixed, 'xml', 'soap-fault', FAULT),
    (fixed, 'json', 'api-error', dump({'error': {'code': 401, 'message': 'API key is missing', 'details': [{'field': 'key', 'reason': 'required'}]}})), (fixed, 'json', 'no-products', dump({'status': 'ok', 'total': 0, 'products': []})), (fixed, 'json', 'empty-array', '[]\n'),
    (listed, 'html', 'directory-index', 14, lambda r, at: f'<tr><td><a href="stock{at}.csv">stock{at}.csv</a></td><td>2026-10-{at + 1:02d} 04:00</td><td>{r.randint(10, 900)}K</td><td>&nbsp;</td></tr>\n', INDEX),
    (listed, 'xml', 'bucket-list', 12, lambda r, at: f'<Contents><Key>stock-{at}.xml</Key><LastModified>2026-10-{at + 1:02d}T04:00:00.000Z</LastModified><ETag>&quot;{r.getrandbits(64):016x}&quot;</ETag><Size>{r.randint(900, 90000)}</Size><StorageClass>STANDARD</StorageClass></Contents>', BUCKET),
    (listed, 'xml', 'sitemap', 30, lambda r, at: f'<url><loc>https://vasto.example/p/{at}</loc><lastmod>2026-09-{at % 28 + 1:02d}</lastmod><changefreq>daily</changefreq><priority>0.{at % 9 + 1}</priority></url>\n', HEAD + '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">…</urlset>'),
    (listed, 'xml', 'news-rss', 10, lambda r, at: f'<item><title>News {at}</title><link>https://vasto.example/news/{at}</link><description>What is new in autumn, part {at}.</description><pubDate>Fri, 02 Oct 2026 0{at % 9}:00:00 GMT</pubDate><guid isPermaLink="false">n{at}</guid></item>\n', HEAD + '<rss version="2.0"><channel><title>Blog</title><link>https://vasto.example</link><description>News</description>…</channel></rss>'),
    (listed, 'xml', 'strings', 20, lambda r, at: f'<string name="label_{at}">Text {at}</string>\n', HEAD + '<resources>\n…</resources>'),
    (listed, 'json', 'customers', 15, lambda r, at: ('' if at == 0 else ',') + dump({'customerNo': f'C{at:05d}', 'firstName': 'Ana', 'lastName': f'Kos{at}', 'email': f'ana{at}@mail.example', 'city': 'Gent', 'newsletter': at % 2 == 0}), '[…]'),
    (listed, 'xml', 'orders', 12, lambda r, at: f'<order><orderNo>{88000 + at}</orderNo><customer>Ana Kos</customer><email>a{at}@mail.example</email><shipTo><street>Kade {at}</street><city>Gent</city></shipTo><total currency="EUR">{r.randint(10, 300)}.50</total><status>shipped</status></order>\n', HEAD + '<orders>\n…</orders>'),
    (listed, 'json', 'stores-geojson', 11, lambda r, at: ('' if at == 0 else ',') + dump({'type': 'Feature', 'geometry': {'type': 'Point', 'coordinates': [Num(f'4.{at}1'), Num('51.2')]}, 'properties': {'name': f'Store {at}', 'street': 'Kade 1', 'phone': '+32 9 000'}}), '{"type":"FeatureCollection","features":[…]}'),
    (listed, 'ndjson', 'access-log', 25, lambda r, at: dump({'ts': f'2026-10-02T04:00:{at:02d}Z', 'method': 'GET', 'path': f'/p/{at}', 'status': 200, 'bytes': r.randint(90, 9000), 'agent': 'curl'}) + '\n'),
    (fixed, 'json', 'translations', dump({'nav': {'home': 'Home', 'cart': 'Cart'}, 'errors': {'required': 'Fill this in', 'email': 'No address'}}, indent=2)),
    (cut, 'xml', 'cut-xml', 0.7), (cut, 'json', 'cut-json', 0.6), (cut, 'ndjson', 'cut-lines', 0.8), (doubled, 'doubled'), (mixed, 'log-between'),
    (page_of_many, 'json', 'page-1-of-12', lambda items: {'page': 1, 'per_page': 20, 'total_pages': 12, 'total': 233, 'products': items}),
    (page_of_many, 'json', 'next-page', lambda items: {'data': items, 'paging': {'next': 'https://api.vasto.example/items?after=20', 'previous': None}, 'total_count': 1480}),
    (page_of_many, 'json', 'has-more', lambda items: {'object': 'list', 'has_more': True, 'url': '/v1/products', 'data': items}),
    (two_lists, 'json', 'two-shops'), (two_lists, 'xml', 'outlet-and-regular'),
]
ASKED = [(bad_entity, 'html-entity'), (bare_ampersand, 'bare-ampersand'), (wrong_bytes, 'xml', 'windows-bytes-xml'), (wrong_bytes, 'json', 'windows-bytes-json')]
