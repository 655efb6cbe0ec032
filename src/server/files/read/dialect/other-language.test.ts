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
