/** As many pieces as have about this size together. */
function list(size: number, toPiece: (index: number) => string): string {
  const pieces: string[] = []
  for (let length = 0; length < size; length += pieces.at(-1)?.length ?? 0) {
    pieces.push(toPiece(pieces.length))
  }
  return pieces.join('')
}

const item = (...fields: string[]) => `<i>${fields.join('')}</i>`
const items = (...records: string[]) => `<r>${records.join('')}</r>`
const FIRST = item('<sku>1</sku><qty>1</qty>')
const fields = (count: number, start = 0) =>
  Array.from({ length: count }, (_, at) => `<f${start + at}/>`).join('')
const nest = (depth: number, inner: string) => '<n>'.repeat(depth) + inner + '</n>'.repeat(depth)
const DEEP = 240
/** Fewer than the columns that a file may have. */
const MANY = 1_900

const DECLARATION = '<?xml version="1.0"?>'

const XML: Record<string, (size: number) => string> = {
  'tiny records': (size) => items(list(size, (at) => item(`<a>${at % 10}</a><b/>`))),
  'records of many fields': (size) => items(list(size, () => item(fields(MANY)))),
  'a field of each record that no other has': (size) =>
    items(
      FIRST,
      list(size, (at) => item(`<f${at}>1</f${at}>`)),
    ),
  'elements that all have different names': (size) =>
    items(list(size, (at) => `<e${at}><a>1</a><b>2</b></e${at}>`)),
  'attributes that all have different names': (size) =>
    items(list(size, (at) => `<i a${at}="1" b="2"/>`)),
  'different names at every depth': (size) =>
    items(list(size, (at) => `<a${at}><b${at}><c${at} d="1"/></b${at}></a${at}>`)),
  'many columns in short rows': (size) =>
    items(
      item(fields(MANY)),
      list(size / 8, () => item('<f0>1</f0>')),
    ),
  'elements in elements': (size) =>
    items(list(size, () => item(nest(DEEP, '<sku>1</sku><qty>2</qty>')))),
  'lists in lists': (size) =>
    items(list(size, () => item('<a><b><c/><c/></b><b/></a><a><b><c/><c/></b></a>'))),
  'fields at every depth': (size) => {
    const chain = Array.from({ length: DEEP }, (_, at) => `<n a="${at}" b="1">`).join('')
    return items(list(size, () => chain + '</n>'.repeat(DEEP)))
  },
  'a record with variants that repeat a long text': (size) =>
    items(
      item(
        `<text>${'x'.repeat(Math.min(size / 2, 32_000))}</text>`,
        list(size / 2, (at) => `<variant><sku>${at}</sku><qty>1</qty></variant>`),
      ),
    ),
  'many values of a field': (size) => items(FIRST, item(list(size, () => '<a>x</a>')), FIRST),
  'lists of columns above a row with more cells': (size) =>
    items(
      list(
        size / 2,
        (at) => `<columns>${list(20_000, (column) => `<col name="a${at}-${column}"/>`)}</columns>`,
      ),
      '<columns><col name="sku"/><col name="qty"/></columns>',
      list(size / 4, (at) => `<row><value>${at}</value><value>1</value></row>`),
      `<row>${list(size / 4, () => '<value>1</value>')}</row>`,
    ),
  'a text in many pieces': (size) => items(FIRST, item(list(size, () => 'x<b/>'))),
  'text between records': (size) => DECLARATION + items(list(size, () => `text ${FIRST}`)),
  'empty sections': (size) =>
    items(
      FIRST,
      item(
        '<a>',
        list(size, () => '<![CDATA[]]>'),
        '</a>',
      ),
    ),
  entities: (size) => items(list(size, () => item('<a>&amp;&#65;&lt;&quot;</a><b>x</b>'))),
  'entities that are made of others': (size) =>
    `<!DOCTYPE r [<!ENTITY a "x">${list(size, (at) => `<!ENTITY a${at} "&a;&a;&a;&a;">`)}]>${items(FIRST)}`,
  'namespaces that all differ': (size) =>
    items(
      list(size, (at) => `<n${at}:i xmlns:n${at}="u${at}"><n${at}:sku>1</n${at}:sku></n${at}:i>`),
    ),
  'prefixes of one namespace': (size) =>
    items(list(size, (at) => `<n${at}:i xmlns:n${at}="u"><n${at}:sku>1</n${at}:sku></n${at}:i>`)),
  'names that only count': (size) =>
    items(list(size, (at) => `<item${at}><sku>1</sku><qty>2</qty></item${at}>`)),
  'things of several kinds': (size) =>
    items(
      list(size, (at) =>
        item(at % 2 === 0 ? `<sku>1</sku><qty>2</qty>` : `<id${at % MANY}>1</id${at % MANY}>`),
      ),
    ),
  'several prices': (size) =>
    items(list(size, () => item('<sku>1</sku>', '<price>1</price>'.repeat(200)))),
  'signs of other pages': (size) =>
    items(
      `<links>${list(size, () => '<link rel="next"/><total>9</total><errors>x</errors>')}</links>`,
      FIRST,
      FIRST,
    ),
  'an encoding that is another one': (size) =>
    `<?xml version="1.0" encoding="iso-8859-1"?>${items(list(size, () => item('<sku>größe</sku><qty>1</qty>')))}`,
  'an entity without end': (size) => items(FIRST, item(`<a>& ${'x'.repeat(size)}</a>`)),
  'named fields': (size) =>
    items(list(size, (at) => item(`<param name="p${at % 1_000}">1</param><sku>1</sku>`))),
  'named fields that all differ': (size) =>
    items(list(size, (at) => item(`<param name="p${at}">1</param><sku>1</sku>`))),
  'keys that repeat in a record': (size) =>
    items(item(list(size, (at) => `<price type="t${at % 7}">1</price>`)), FIRST),
  'texts with elements': (size) =>
    items(list(size, () => item('<t>a <b>b</b> c <i2>d</i2></t><sku>1</sku>'))),
  'long names': (size) =>
    items(list(size, (at) => `<${'n'.repeat(900)}${at}><a/><b/></${'n'.repeat(900)}${at}>`)),
  comments: (size) =>
    items(
      FIRST,
      list(size, () => '<!-- x -->'),
      FIRST,
    ),
  'an open tag': (size) => items(FIRST, `<i ${'a '.repeat(size / 2)}`),
  blanks: (size) => items(FIRST, ' \n'.repeat(size / 2), FIRST),
  'members of XML-RPC': (size) =>
    `<methodResponse><array><data>${list(size, (at) => `<value><struct>${'<member><name>sku'.repeat(at % 9)}${'</name><value>1</value></member>'.repeat(at % 9)}</struct></value>`)}</data></array></methodResponse>`,
  'members of XML-RPC in members': (size) =>
    `<methodResponse>${list(size, () => '<value><member><name>a</name>'.repeat(50) + '</member></value>'.repeat(50))}</methodResponse>`,
  'fields of FileMaker': (size) =>
    `<FMPXMLRESULT><METADATA>${list(size / 2, (at) => `<FIELD NAME="f${at % MANY}"/>`)}</METADATA><RESULTSET>${list(size / 2, () => '<ROW><COL><DATA>1</DATA></COL></ROW>')}</RESULTSET></FMPXMLRESULT>`,
  'rows of FileMaker that are wider than its fields': (size) =>
    `<FMPXMLRESULT><METADATA><FIELD NAME="sku"/></METADATA><RESULTSET>${list(size, () => `<ROW>${'<COL><DATA>1</DATA></COL>'.repeat(300)}</ROW>`)}</RESULTSET></FMPXMLRESULT>`,
}

const RECORD = '{"sku":"1","qty":1}'

const JSON_TEXTS: Record<string, (size: number) => string> = {
  'tiny records': (size) => `[${list(size, () => '{"a":1,"b":2},')}${RECORD}]`,
  lines: (size) => list(size, () => `${RECORD}\n`),
  'empty lines': (size) => `${RECORD}\n${list(size, () => '{}\n')}`,
  'one long line': (size) => `{"a":[${list(size, () => `${RECORD},`)}1]}\n{}`,
  'lists of values': (size) => `[${list(size, () => '[1,2,3],')}[1]]`,
  'lists in lists': (size) => list(size, () => '[[1],') + ']'.repeat(9),
  'a list that is a text': (size) =>
    `[{"sku":"1","qty":1,"l":[${list(size, () => '{"a":[1,2]},')}1]},${RECORD}]`,
  'lists that are texts': (size) =>
    `[${list(size, () => '{"sku":"1","l":[1,{"a":[[1]]}]},')}${RECORD}]`,
  'objects by their names': (size) => `{${list(size, (at) => `"k${at}":${RECORD},`)}"k":${RECORD}}`,
  'fields that all have different names': (size) =>
    `[${list(size, (at) => `{"f${at}":1,"sku":2},`)}${RECORD}]`,
  'names in a list that all differ': (size) =>
    `[{"sku":"1","qty":1,"l":[${list(size, (at) => `{"f${at}":{"g${at}":1}},`)}1]},${RECORD}]`,
  'objects in objects': (size) =>
    `[${list(size, () => `${'{"a":'.repeat(200)}1${'}'.repeat(200)},`)}${RECORD}]`,
  'a record with variants that repeat a long text': (size) =>
    `[{"text":"${'x'.repeat(Math.min(size / 2, 32_000))}","variants":[${list(size / 2, (at) => `{"sku":"${at}","qty":1},`)}${RECORD}]}]`,
  'names that stand twice': (size) =>
    `[{"sku":"1",${list(size, () => '"qty":1,')}"qty":2},${RECORD}]`,
  'half characters': (size) => `[${list(size, () => '{"sku":"\\ud83d","qty":1},')}${RECORD}]`,
  'values by name beside': (size) =>
    `{"stock":{${list(size, (at) => `"k${at}":1,`)}"k":1},"items":[${RECORD},${RECORD}]}`,
  'objects by a name of their own each': (size) =>
    `[${list(size, (at) => `{"k${at}":${RECORD}},`)}{"k":${RECORD}}]`,
  escapes: (size) => `[{"sku":"${'\\u0041\\n'.repeat(size / 8)}","qty":1}]`,
  'escapes in many texts': (size) =>
    `[${list(size, () => `{"sku":"${'\\"\\\\'.repeat(50)}","qty":1},`)}${RECORD}]`,
  'a long number': (size) => `[{"sku":1${'0'.repeat(size)},"qty":1}]`,
  blanks: (size) => `[${RECORD}${' \n'.repeat(size / 2)},${RECORD}]`,
  'lists of columns': (size) =>
    `{"sku":[${list(size / 2, (at) => `"${at}",`)}1],"qty":[${list(size / 2, (at) => `"${at}",`)}1]}`,
  'many lists of columns': (size) =>
    `{"sku":[1,2],"qty":[1,2],${list(size, (at) => `"f${at}":[1,2],`)}"price":[1,2]}`,
  'columns by the names of rows': (size) =>
    `{"sku":{${list(size / 2, (at) => `"${at}":1,`)}"k":1},"qty":{${list(size / 2, (at) => `"${at}":1,`)}"k":1}}`,
  'actions before documents': (size) => list(size, () => `{"index":{"_id":"1"}}\n${RECORD}\n`),
  'actions alone': (size) => list(size, () => '{"index":{"_id":"1"}}\n'),
  'an action that never ends': (size) =>
    `{"index":{${list(size, () => '"_a":1,')}"_b":2}}\n${RECORD}\n`,
  'children of records': (size) =>
    `{"id":"gid://shopify/P/1"}\n${list(size, (at) => `{"id":"gid://shopify/V${at % 7}/2","__parentId":"gid://shopify/P/1","sku":"1"}\n`)}`,
  'children of children': (size) =>
    `{"id":"gid://shopify/P/0"}\n${list(size, (at) => `{"id":"gid://shopify/P/${at + 1}","__parentId":"gid://shopify/P/${at}"}\n`)}`,
  'messages between records': (size) =>
    `{"type":"STATE"}\n${list(size, () => `{"type":"RECORD","record":${RECORD}}\n{"type":"STATE","value":{}}\n`)}`,
  'names of columns beside': (size) =>
    `{"columns":[${list(size / 2, (at) => `"c${at}",`)}"c"],"data":[${list(size / 2, () => '[1,2],')}[1]]}`,
}

/** Documents that are slow, or need much memory, for a careless reader of them. */
export const hostileDocuments: Readonly<Record<string, (size: number) => string>> =
  Object.fromEntries([
    ...Object.entries(XML).map(([name, make]) => [`XML: ${name}`, make]),
    ...Object.entries(JSON_TEXTS).map(([name, make]) => [`JSON: ${name}`, make]),
  ])
