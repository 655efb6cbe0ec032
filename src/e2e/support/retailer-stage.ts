import type { Retailer } from '../../shared/schemas/retailer'
import { startStage, type Stage, type Supplier } from './stage'

export const HEAD = 'sku,name,category\n'
export const ROWS = [
  ...Array.from({ length: 9 }, (_, index) => `B${index},Boot ${index},Boots`),
  'H1,"Hat, wool",Hats',
  'H2,Cap,Hats',
  'T1,Tent,Tents',
]
export const CSV = `${HEAD}${ROWS.join('\n')}\n`

/** Starts a stage: `northbeck` has published `CSV`, and its retailer `summit` sees all rows. */
export async function startRetailerStage(): Promise<{
  stage: Stage
  northbeck: Supplier
  summit: Retailer
}> {
  const stage = await startStage()
  stage.sourceServer.set('/inventory.csv', { body: CSV })
  const northbeck = await stage.addSupplier('northbeck', { companyName: 'Northbeck Outdoor' })
  await stage.addConnection(northbeck, {
    name: 'Outdoor catalogue',
    url: stage.sourceServer.url('/inventory.csv'),
  })
  const summit = await stage.addRetailer(northbeck, 'summit', {
    storeName: 'Summit Sports',
    storeUrl: 'summit.example',
  })
  return { stage, northbeck, summit }
}
