import type { SupplierSeed } from '../src/server/features/suppliers/seeding'
import type { Person } from './demo-issuer-page'

/** The password of everybody in the demo. */
export const DEMO_PASSWORD = 'demo-demo'

/** Who can sign in at the demo's identity provider. */
export const demoPeople: readonly Person[] = [
  { subject: 'nora', name: 'Nora Beck', email: 'nora.beck@lakeside.example' },
  { subject: 'tomas', name: 'Tomas Ferro', email: 'tomas@ferro-bikes.example' },
]

/** One supplier and three retailers: two see everything, one sees what it sells. */
export function demoSupplier(catalogueUrl: string): SupplierSeed {
  return {
    username: 'northbeck',
    password: DEMO_PASSWORD,
    companyName: 'Northbeck Outdoor',
    contactEmail: 'stock@northbeck.example',
    maxRetailers: 10,
    connection: { name: 'Outdoor catalogue', url: catalogueUrl, syncFrequency: 60 },
    retailers: [
      {
        username: 'summit',
        password: DEMO_PASSWORD,
        storeName: 'Summit Sports',
        storeUrl: 'summit-sports.example',
      },
      {
        username: 'basecamp',
        password: DEMO_PASSWORD,
        storeName: 'Basecamp',
        storeUrl: 'https://basecamp.example',
      },
      {
        username: 'cragside',
        password: DEMO_PASSWORD,
        storeName: 'Cragside Climbing',
        storeUrl: 'cragside.example',
        categories: ['Climbing', 'Clothing > Jackets'],
      },
    ],
  }
}
