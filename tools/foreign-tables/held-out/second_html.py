"""Second set, HTML tables that programs call workbooks."""
from model import *

NAMES = ('Item No', 'Description', 'On hand', 'Price', 'Barcode')
F = ('sku', 'title', 'qty', 'price', 'gtin')


def vals(p):
    return [esc(x) for x in (p.sku, p.title, p.qty, p.price, p.gtin)]


def sqlplus(r, n):
    """The names come again every ten rows."""
    ps = products(r, n)
    head = '<tr>\n' + ''.join(f'<th scope="col">\n{x}\n</th>\n' for x in NAMES) + '</tr>\n'
    t = ''.join((head if i % 10 == 0 else '') + '<tr>\n' + ''.join(f'<td>\n{v}\n</td>\n' for v in vals(p)) + '</tr>\n' for i, p in enumerate(ps))
    return doc('html', 'sqlplus', f"<p>\n<table border='1' width='90%' align='center' summary='Script output'>\n{t}</table>\n<p>\n", n, col(ps, *F), mayTell=True)


def upper(r, n):
    ps = products(r, n)
    t = '<TABLE BORDER=1 CELLPADDING=2><TBODY><TR BGCOLOR=#CCCCCC>' + ''.join(f'<TD><FONT FACE=Arial><B>{x}</B></FONT></TD>' for x in NAMES) + '</TR>\n' + ''.join('<TR VALIGN=top>' + ''.join(f'<TD ALIGN=right><FONT SIZE=2>{v}</FONT></TD>' for v in vals(p)) + '</TR>\n' for p in ps) + '</TBODY></TABLE>'
    return doc('html', 'old-tags', '<HTML><BODY>' + t + '</BODY></HTML>', n, col(ps, *F))


def calc(r, n):
    ps = products(r, n)
    t = '<table cellspacing="0" border="0"><colgroup width="85"></colgroup><tr>' + ''.join(f'<td height="17" align="left"><font color="#000000">{x}</font></td>' for x in NAMES) + '</tr>' + ''.join(f'<tr><td height="17" align="left">{a}</td><td align="left">{b}</td><td align="right" sdval="{c}" sdnum="1033;">{c}</td><td align="right">{d}</td><td align="left">{e}</td></tr>' for a, b, c, d, e in map(vals, ps)) + '</table>'
    return doc('html', 'calc', '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN"><html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"/><title></title><meta name="generator" content="LibreOffice 7.4 (Linux)"/><style type="text/css">body{font-family:"Arial"}</style></head><body>' + t + '</body></html>', n, col(ps, *F))


def php(r, n):
    """What a script of PHP writes for Excel: a table with nothing around it, entities, no end tags of rows."""
    ps = products(r, n)
    return doc('html', 'php-script', '<meta charset="utf-8"><table>' + '<tr>' + ''.join(f'<th>{x}</th>' for x in NAMES) + '</tr>' + '\n'.join('<tr>' + ''.join(f'<td>{v}</td>' for v in vals(p)) for p in ps) + '</table>', n, col(ps, *F))


def text_format(r, n):
    ps = products(r, n)
    return doc('html', 'text-format', '<table border="1"><thead><tr>' + ''.join(f'<th>{x}</th>' for x in NAMES) + '</tr></thead><tbody>' + ''.join('<tr>' + ''.join(f'<td style="mso-number-format:\'\\@\'">{v}</td>' for v in vals(p)) + '</tr>' for p in ps) + '</tbody></table>', n, col(ps, *F))


def two_head(r, n):
    ps = products(r, n)
    t = '<table><tr><td colspan=5>Northbeck Ltd</td></tr><tr><td colspan=5>Stock on 2026-01-01</td></tr><tr><td colspan=5></td></tr><tr>' + ''.join(f'<td>{x}</td>' for x in NAMES) + '</tr>' + ''.join('<tr>' + ''.join(f'<td>{v}</td>' for v in vals(p)) + '</tr>' for p in ps) + '</table>'
    return doc('html', 'titles-above', '<html><body>' + t + '</body></html>', n, col(ps, *F))


def latin2(r, n):
    ps = products(r, n)
    for p in ps:
        p.title = f'Łódź žluťoučký {p.n}'
    t = '<table><tr>' + ''.join(f'<th>{x}</th>' for x in NAMES) + '</tr>' + ''.join('<tr>' + ''.join(f'<td>{v}</td>' for v in vals(p)) + '</tr>' for p in ps) + '</table>'
    return doc('html', 'windows-1250', ('<html><head><meta http-equiv=Content-Type content="text/html; charset=windows-1250"></head><body>' + t + '</body></html>').encode('cp1250'), n, col(ps, *F))


def login(r):
    return doc('html', 'sign-in', '<html><head><title>Sign in</title></head><body><h1>Sign in</h1><form><input name="user"><input type="password" name="p"><button>Go</button></form></body></html>', 0, {}, mustRefuse=True)


def cut(r):
    ps = products(r, 20)
    t = '<table><tr>' + ''.join(f'<th>{x}</th>' for x in NAMES) + '</tr>' + ''.join('<tr>' + ''.join(f'<td>{v}</td>' for v in vals(p)) + '</tr>' for p in ps)
    return doc('html', 'cut', t[:-40], 20, {}, mustRefuse=True)
