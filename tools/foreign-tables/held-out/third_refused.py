"""Third set: what is no table of an inventory, is damaged, or cannot be read without asking."""
from third_lines import page
from third_xml import D, SOAP


def no(form, name, text, count=0, **more):
    return (form, name, text, count, {'refuse': True, **more})


def ask(form, name, text, count=10, **more):
    return (form, name, text, count, {'may': True, **more})


def cut(share):
    return lambda data: data[:int(len(data) * share)]


def swap(old, new):
    return lambda data: data.replace(old, new, 1)


def after(part, text):
    """Puts text before the last place of part."""
    def change(data):
        at = data.rindex(part)
        return data[:at] + text + data[at:]
    return change


FEED = '<items>⟦<item><sku>«code»</sku><qty>«stock»</qty><name>«name»</name></item>⟧</items>'
LIST = '{"items":[⟦{"sku":"«code»","qty":«stock»,"name":"«name»"}⟧]}'
LINE = '⟦{"sku":"«code»","qty":«stock»,"name":"«name»"}⟧'

NO_TABLE = [
    no('xml', 'soap-fault', D + SOAP % '<soap:Fault><faultcode>soap:Server</faultcode><faultstring>Session expired</faultstring><detail><e:err xmlns:e="urn:e"><code>401</code></e:err></detail></soap:Fault>'),
    no('xml', 's3-error', D + '<Error><Code>AccessDenied</Code><Message>Request has expired</Message><RequestId>7</RequestId><HostId>x</HostId></Error>'),
    no('xml', 'empty-feed', D + '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>S</title><link>https://s.example</link><description/></channel></rss>'),
    no('xml', 'empty-rowset', '<?xml version="1.0"?>\n<ROWSET/>'),
    no('xml', 'xmlrpc-fault', '<?xml version="1.0"?><methodResponse><fault><value><struct><member><name>faultCode</name><value><int>4</int></value></member><member><name>faultString</name><value><string>Too many parameters.</string></value></member></struct></value></fault></methodResponse>'),
    no('xml', 'filemaker-error', D + '<FMPXMLRESULT xmlns="http://www.filemaker.com/fmpxmlresult"><ERRORCODE>401</ERRORCODE><PRODUCT BUILD="1" NAME="F" VERSION="1"/><DATABASE DATEFORMAT="" LAYOUT="" NAME="" RECORDS="0" TIMEFORMAT=""/><METADATA/><RESULTSET FOUND="0"/></FMPXMLRESULT>'),
    no('json', 'graphql-errors', '{"errors":[{"message":"Throttled","extensions":{"code":"THROTTLED"}}],"data":null}'),
    no('json', 'problem', '{"type":"https://e.example/p","title":"Forbidden","status":403,"detail":"No scope","instance":"/x"}'),
    no('json', 'token', '{"access_token":"abc","token_type":"Bearer","expires_in":3600,"scope":"read"}'),
    no('json', 'empty-list', '{"items":[],"total":0,"page":1}'),
    no('json', 'empty-columns', '{"sku":[],"name":[],"qty":[]}'),
    no('json', 'healthcheck', '{"status":"UP","components":{"db":{"status":"UP","details":{"database":"PG"}},"disk":{"status":"UP"}}}'),
    no('json', 'null', 'null\n'),
    no('html', 'maintenance', page('<h1>We will be back soon</h1><p>Maintenance</p>')),
    no('html', 'sign-in', page('<form method="post" action="/login"><table><tr><td>User</td><td><input name="u"></td></tr><tr><td>Password</td><td><input type="password" name="p"></td></tr></table></form>')),
    no('html', 'shop-page', page('<nav><a href="/">Home</a><a href="/cart">Cart</a></nav><div class="products">⟦<div class="product"><a href="«link»">«name»</a><span>«price» €</span></div>⟧</div><footer>Imprint</footer>'), 8),
    no('html', 'no-results', page('<table><tr><td>Logo</td><td>Menu</td></tr><tr><td colspan=2>No records found</td></tr></table>')),
    no('ndjson', 'only-state', '{"type":"STATE","value":{"bookmarks":{}}}'),
]
DAMAGED = [
    no('xml', 'cut-in-tag', D + FEED, 20, damage=cut(0.71)),
    no('xml', 'cut-between-items', D + FEED, 20, spread=1, damage=lambda data: data[:data.rindex(b'<item>')]),
    no('xml', 'php-warning-after', D + FEED, 12, damage=lambda data: data[:data.index(b'</item>') + 7] + b'\n<br />\n<b>Fatal error</b>:  Allowed memory size exhausted in <b>/var/www/e.php</b> on line <b>7</b><br />\n'),
    no('xml', 'tags-crossed', D + FEED, 12, damage=swap(b'</qty><name>', b'<name></qty>')),
    no('xml', 'bare-ampersand', D + FEED, 12, damage=swap(b'<name>', b'<name>Fish & Chips & '), may=False),
    no('xml', 'two-documents', D + FEED, 6, damage=lambda data: data + b'\n' + data),
    no('json', 'cut', LIST, 20, damage=cut(0.66)),
    no('json', 'cut-after-record', LIST, 20, damage=lambda data: data[:data.rindex(b',{"sku"')]),
    no('json', 'html-after', LIST, 10, damage=lambda data: data[:-40] + b'<html><body>504 Gateway Time-out</body></html>'),
    no('json', 'missing-comma', LIST, 10, damage=swap(b'},{', b'} {')),
    no('json', 'nul-bytes', LIST, 10, damage=lambda data: data[:-30] + b'\0' * 30),
    no('ndjson', 'cut-line-in-middle', LINE, 20, damage=swap(b',"name"', b'\n,"na')),
    no('ndjson', 'log-text-between', LINE, 12, damage=after(b'{"sku"', b'2026-11-20 10:00 WARN retry\n')),
    no('ndjson', 'error-at-end', LINE, 12, damage=lambda data: data + b'{"error":{"code":500,"message":"stream aborted"}}\n', may=False),
    no('ndjson', 'bulk-without-last', '⟦{"index":{"_id":"«at»"}}\n{"sku":"«code»","qty":«stock»}⟧', 8, damage=lambda data: data[:data.rindex(b'{"sku"')]),
    no('json', 'columns-uneven', '{"sku":[⟦"«code»"⟧,"extra"],"name":[⟦"«name»"⟧],"qty":[⟦«stock»⟧]}', 8),
]
ASK = [
    ask('json', 'jsonp', 'callback(' + LIST + ');'),
    ask('json', 'js-variable', 'var products = ' + LIST + ';\n'),
    ask('json', 'nan', '[⟦{"sku":"«code»","qty":«stock»,"weight":NaN}⟧]'),
    ask('json', 'trailing-comma', '[⟦{"sku":"«code»","qty":«stock»}⟧,]'),
    ask('json', 'comment-first', '/* exported 2026-11-20 */\n' + LIST),
    ask('json', 'two-shops', '{"hamburg":[⟦{"sku":"«code»","qty":«stock»}⟧],"berlin":[⟦{"sku":"b-«at»","qty":1,"x":2}⟧]}', empty=('at',)),
    ask('json', 'matrix-without-head', '[⟦["«code»","«name»",«stock»]⟧]'),
    ask('xml', 'two-price-lists', D + '<export><net>⟦<line art="«code»" p="«price»"/>⟧</net><gross>⟦<line art="x«-at»" p="1"/>⟧</gross></export>'),
    ask('xml', 'groups-in-groups', D + '<c><group n="A"><group n="B">⟦<p><sku>«code»</sku><qty>«stock»</qty></p>⟧</group></group><group n="C"/></c>'),
    ask('xml', 'wrong-encoding', D + '<items>⟦<item><sku>«code»</sku><maker>Röster</maker></item>⟧</items>', enc='latin-1'),
    ask('html', 'two-stock-tables', page('<h2>Hamburg</h2><table><tr><th>SKU</th><th>Qty</th></tr>⟦<tr><td>«code»</td><td>«stock»</td></tr>⟧</table><h2>Berlin</h2><table><tr><th>SKU</th><th>Price</th></tr>⟦<tr><td>z«-at»</td><td>1</td></tr>⟧</table>')),
]
