import { startAlternatingSource } from './alternating-source'
import type { Bench } from './bench'
import { atLeast } from './goal'
import { makeInventoryDocument } from './inventory-document'
import { DOCUMENT_READERS } from './programs/npm-document-readers'
import type { Measured, Row } from './row'
import { compareWithReader } from './workbooks'

const ROWS = 300_000
const FEW_ROWS = 30_000
const PEERS = Object.entries(DOCUMENT_READERS).map(([name, { form }]) => ({ name, form }))

export const documentRows: readonly Row[] = [
  {
    number: 26,
    name: 'documents',
    parts: PEERS.map(({ name, form }) => ({
      what: `sync of 300,000 rows of ${form}: reading them with ${name}`,
      goal: atLeast(0.5),
    })),
    async measure(bench) {
      const measured: Measured[] = []
      for (const peer of PEERS) measured.push(await measureForm(bench, peer))
      return measured
    },
  },
]

async function measureForm(bench: Bench, { name, form }: (typeof PEERS)[number]) {
  const rows = bench.isQuick ? FEW_ROWS : ROWS
  const files = ['one', 'another'].map((version) => makeInventoryDocument(form, rows, version))
  const { url, changingUrl } = await startAlternatingSource(bench, files)
  const { addSupplier } = await bench.stage()
  const supplier = await addSupplier(`${form.toLowerCase()}-documents`, changingUrl)
  return compareWithReader(name, bench, url, supplier)
}
