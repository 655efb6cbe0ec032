import { startAlternatingSource } from './alternating-source'
import type { Bench } from './bench'
import { atLeast } from './goal'
import { makeInventoryDocument } from './inventory-document'
import { DOCUMENT_READERS } from './programs/npm-document-readers'
import type { Measured, Row } from './row'
import { compareWithReader, withNpm } from './workbooks'

const ROWS = 300_000
const FEW_ROWS = 30_000
const PEERS = Object.entries(DOCUMENT_READERS).map(([name, { form }]) => ({
  ...withNpm(name, atLeast(0.5)),
  form,
}))

export const documentRows: readonly Row[] = [
  {
    number: 26,
    name: 'documents',
    parts: PEERS.map(({ name, form, goal }) => ({
      what: `sync of 300,000 rows of ${form}: reading them with ${name}`,
      goal,
    })),
    async measure(bench) {
      const measured: Measured[] = []
      for (const peer of PEERS) measured.push(await measureForm(bench, peer))
      return measured
    },
  },
]

async function measureForm(bench: Bench, { form, ...peer }: (typeof PEERS)[number]) {
  const rows = bench.isQuick ? FEW_ROWS : ROWS
  const files = ['one', 'another'].map((version) => makeInventoryDocument(form, rows, version))
  const { url, changingUrl } = await startAlternatingSource(bench, files)
  const { addSupplier } = await bench.stage()
  const supplier = await addSupplier(`${form.toLowerCase()}-documents`, changingUrl)
  return compareWithReader(peer, bench, url, supplier)
}
