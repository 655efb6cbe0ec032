import type { SupplierSeed } from '../src/shared/schemas/supplier-seed'
import type { Person } from './demo-issuer-page'

/** The password of every demo user. */
export const DEMO_PASSWORD = 'demo-demo'

/** The accounts of the demo's identity provider. */
export const demoPeople: readonly Person[] = [
  { subject: 'nora', name: 'Nora Beck', email: 'nora.beck@lakeside.example' },
  { subject: 'tomas', name: 'Tomas Ferro', email: 'tomas@ferro-bikes.example' },
]

/** One supplier with three retailers: two see all products, one only some categories. */
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
