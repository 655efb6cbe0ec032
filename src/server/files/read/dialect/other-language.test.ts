import { describe, expect, it } from 'vitest'

import { findOtherLanguage } from './other-language'

describe('a text that is no table', () => {
  it.each([
    ["UNA:+.? '\nUNB+UNOA:2+S:14+R:14+260101:1200+1'\n", 'an EDIFACT message'],
    ["UNB+UNOA:2+S:14'UNH+1+INVRPT:D:96A:UN'", 'an EDIFACT message'],
    ['ISA*00*          *00*   *ZZ*S~GS*IB*S*R~', 'an ANSI X12 message'],
    ['var products = [{"sku":"A"}];', 'JavaScript'],
    ['export default [\n{sku: "A"}]', 'JavaScript'],
    ['module.exports = {\n', 'JavaScript'],
    ['callback([{"sku":"A"}]);', 'JavaScript (JSONP)'],
    ['/**/ typeof cb === "function" && cb({"sku":"A"});', 'JavaScript (JSONP)'],
    [")]}',\n[{}]", 'JSON with a line before it'],
    ["[{'sku': 'A'}]", 'a list of Python'],
    ["{'sku': 'A'}\n{'sku': 'B'}\n", 'a list of Python'],
    ['<?php\nreturn [];', 'PHP'],
    ['Array\n(\n    [0] => x\n', 'PHP'],
    ['a:2:{i:0;s:1:"A";}', 'PHP'],
    ["INSERT INTO products (sku) VALUES ('A');", 'a dump of a database (SQL)'],
    ['-- MySQL dump 10.13\n--\n', 'a dump of a database (SQL)'],
    ["SET NAMES utf8;\nINSERT INTO t (sku,qty) VALUES\n('A',3);", 'a dump of a database (SQL)'],
    ["UPDATE stock SET qty=3 WHERE sku='A';\n", 'a dump of a database (SQL)'],
    ['COPY public.stock (sku, qty) FROM stdin;\nA\t3\n', 'a dump of a database (COPY)'],
    ["UNH+1+INVRPT:D:96A:UN'\nLIN+1'\n", 'an EDIFACT message'],
    ['ST*846*0001~\nLIN**SK*A1~\n', 'an ANSI X12 message'],
    ['ID;PWXL;N;E\nC;Y1;X1;K"SKU"\n', 'a table in the form SYLK'],
    ['{sku:"A1",qty:3}', 'JavaScript'],
    ['([{"sku":"A1"}])', 'JSON in parentheses'],
    ['"[{\\"sku\\":\\"A1\\"}]"', 'JSON within a text'],
    ['"<r><p>A1</p></r>"', 'XML within a text'],
    ['null', 'a single value of JSON'],
    ['x <?xml version="1.0"?><r/>', 'XML with something before it'],
    ['Connected<table>\n<tr><td>A</td></tr></table>', 'a table of HTML with something before it'],
    ['Stock; all\n<table><tbody><tr><td>A', 'a table of HTML with something before it'],
    ['sku=A1;qty=3\nsku=A2;qty=4\n', 'a list of names with values'],
    ['SKU: A1, Qty: 3\nSKU: A2, Qty: 4\n', 'a list of names with values'],
    ['BEGIN:VCARD\nVERSION:3.0\n', 'a calendar or an address book'],
    ['products:\n- sku: A\n  qty: 5\n- sku: B\n  qty: 6\n', 'YAML'],
    ['- {sku: A, qty: 5}\n- {sku: B, qty: 6}\n', 'YAML'],
    ['---\nA1:\n  qty: 5\nA2:\n  qty: 6\n', 'YAML'],
    ['[A1]\nqty=5\n[A2]\nqty=6\n', 'a list of names with values'],
    ['sku: A\nqty: 5\n\nsku: B\nqty: 6\n', 'a list of names with values'],
    ['sku=A&qty=5\nsku=B&qty=6\n', 'a list of names with values'],
  ])('is found: %s', (text, what) => {
    expect(findOtherLanguage(text)).toBe(what)
  })

  it.each([
    'sku,name,qty\nA,"a: b",5\n',
    'set,update,qty\nA,b,5\n',
    'Insert,Size\nA,5\n',
    'sku;text\nA;"<table><tr><td>x</td></tr></table>"\n',
    'sku;text\nA;<table><tr><td>x</td></tr></table>\n',
    'a=1;qty\na=1;5\na=1;6\n',
    'null,qty\nA,5\n',
    'sku:name:qty\nA1:Boot:5\nA2:Hat:6\n',
    'sku\nA1\nA2\n',
    'Title: of a table\nsku;qty\nA;5\n',
    'Artikel: Nummer;Menge\nA: 1;5\nA: 2;6\n',
    'name=x;qty\na=1;5\n',
    'call(x);qty\n5;6\n',
    'Array,qty\n5,6\n',
    '- a,b\n- c,d\n',
    'array (small),qty\n1,2\n',
    'ISAAC,qty\nISABEL,5\n',
    '',
  ])('is none of these: %s', (text) => {
    expect(findOtherLanguage(text)).toBeUndefined()
  })
})
