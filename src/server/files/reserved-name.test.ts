import { describe, expect, it } from 'vitest'

import { ingestKeyed } from '../testing/fixtures/key-files'
import { ingest } from '../testing/stages/ingesting'

const noteOf = ({ problems }: { problems: { message: string; line: number | null }[] }) =>
  problems.filter(({ message }) => message.includes('was renamed'))

describe('a column of the supplier with the name of the column of changes', () => {
  it.each([
    ['sku,_change\n1,a\n', 'sku,change_\n1,a\n'],
    ['sku,"_CHANGE",name\r\n1,"a",b', 'sku,"CHANGE_",name\r\n1,"a",b'],
    [' _Change ,sku\n"x\r\ny",1\n', ' Change_ ,sku\n"x\r\ny",1\n'],
    ['sku,_change,change_,_Change\n1,a,b,c\n', 'sku,change2,change_,Change3\n1,a,b,c\n'],
    ['_change\n1\n2\n', 'change_\n1\n2\n'],
  ])('is renamed, and all else stays byte for byte: %j', async (source, expected) => {
    for (const chunkBytes of [1, 5, 65_536]) {
      const { text, report } = await ingest(source, null, chunkBytes)
      expect(text).toBe(expected)
      expect(report.isRewritten).toBe(true)
      expect(report.columns).not.toContain('_change')
      expect(noteOf(report)).toHaveLength(source.split(/_change/i).length - 1)
    }
  })

  it.each([
    ['sku;_change;qty\n1;a;5\n2;b;6\n', 'sku,change_,qty\r\n1,a,5\r\n2,b,6\r\n'],
    ["'sku','_change'\n'1','a, b'\n'2','c'\n", 'sku,change_\r\n1,"a, b"\r\n2,c\r\n'],
    ['\uFEFF_change,sku\n1,a\n', 'change_,sku\r\n1,a\r\n'],
    ['A title\n\nsku,name,_change\n1,a,b\n2,c,d\n', 'sku,name,change_\r\n1,a,b\r\n2,c,d\r\n'],
    ['sku,_change\n1,a\nsku,_change\n2,b\n', 'sku,change_\r\n1,a\r\n2,b\r\n'],
  ])('is renamed in a file that is rewritten: %j', async (source, expected) => {
    const { text, report } = await ingest(source, null)
    expect(text).toBe(expected)
    expect(noteOf(report)).toHaveLength(1)
  })

  it('is told to the supplier, with the line and both names', async () => {
    const { report } = await ingest('sku,_Change\n1,a\n', null)
    expect(noteOf(report)).toEqual([
      {
        line: 1,
        count: 1,
        message:
          'The column “_Change” was renamed to “Change_”: files of changes have a column _change that says what has become of a row.',
      },
    ])
  })

  it('is renamed at the beginning of a file of many chunks, whose rows stay where they were', async () => {
    const rows = Array.from({ length: 20_000 }, (_, row) => `${row},text of ${row}\n`).join('')
    const { text, file, facts } = await ingestKeyed(`sku,_change\n${rows}`)
    expect(text).toBe(`sku,change_\n${rows}`)
    expect(facts).toMatchObject({ keyCount: 20_000 })
    const at = Buffer.alloc(13)
    await file.readRows(at, 12)
    expect(at.toString()).toBe('0,text of 0\n1')
  })

  it.each(['change', '_changes', '_change_', 'my _change', 'changed', '_ change'])(
    'is only that: %s',
    async (name) => {
      const source = `sku,${name}\n1,a\n`
      const { text, report } = await ingest(source, null)
      expect([text, report.isRewritten, noteOf(report)]).toEqual([source, false, []])
    },
  )

  it('is left alone in a file without a header', async () => {
    const source = '11,_change,5.5,2026-01-02\n12,b,6.5,2026-01-03\n13,c,7.5,2026-01-04\n'
    expect((await ingest(source, null)).text).toContain('11,_change,5.5')
  })
})
