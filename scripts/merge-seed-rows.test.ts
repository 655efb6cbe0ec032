import { describe, expect, it } from 'vitest'

import { readCsvSeeds } from './read-seeds'

const HEADER =
  'username,password,companyName,contactEmail,maxRetailers,connectionUrl,connectionName,retailerUsername,retailerPassword,storeName'
const ACME = 'acme,correct horse,Acme,a@acme.example'
const SHOP = 'shop,shop horse,The Shop'

const read = (...lines: string[]) => readCsvSeeds([HEADER, ...lines].join('\n'))
const problemsOf = (...lines: string[]) =>
  read(...lines).problems.map(({ place, text }) => `${place}: ${text}`)

describe('the lines of a supplier', () => {
  it('need not repeat what another one says, in any order', () => {
    const file = read(
      'acme,,,,,,,,,',
      `ACME,correct horse,Acme,,5,,,${SHOP}`,
      'acme,,,a@acme.example,,https://acme.example/a.csv,,other,other horse,Other',
      'acme,,,,,,Feed,shop,,',
    )
    expect(file.problems).toEqual([])
    expect(file.seeds).toMatchObject([
      {
        place: 'line 2',
        seed: {
          username: 'acme',
          companyName: 'Acme',
          contactEmail: 'a@acme.example',
          maxRetailers: 5,
          connection: { url: 'https://acme.example/a.csv', name: 'Feed' },
          retailers: [{ username: 'shop', storeName: 'The Shop' }, { username: 'other' }],
        },
      },
    ])
  })

  it('are the same twice without a problem', () => {
    const line = `${ACME},5,,,${SHOP}`
    expect(read(line, line)).toMatchObject({ problems: [], seeds: [{ seed: { maxRetailers: 5 } }] })
  })

  it('must not contradict each other, and a password is not shown', () => {
    expect(
      problemsOf(
        `${ACME},5,,,${SHOP}`,
        'acme,another horse,Acme Ltd,,,,,shop,wrong horse,Shop',
        'ACME,,,,6,,,,,',
      ),
    ).toEqual([
      'line 3: password contradicts line 2',
      'line 3: companyName contradicts line 2: Acme Ltd, not Acme',
      'line 3: retailerPassword contradicts line 2',
      'line 3: storeName contradicts line 2: Shop, not The Shop',
      'line 4: maxRetailers contradicts line 2: 6, not 5',
    ])
  })

  it('have problems where they are, or where the account is named first', () => {
    expect(
      problemsOf('acme,correct horse,,a@acme.example,,,,,,', 'acme,,,,ten,,,shop,,The Shop'),
    ).toEqual([
      'line 2: Company name is required (companyName)',
      expect.stringMatching(/^line 3: Max retailers must be a number/),
      expect.stringMatching(/^line 3: .*\(retailerPassword\)$/),
    ])
  })

  it('must name it', () => {
    expect(problemsOf(`,correct horse,Acme,a@acme.example,,,,${SHOP}`)).toEqual([
      'line 2: Username is required (username)',
    ])
  })
})

describe('an account', () => {
  it('is a retailer of one supplier only', () => {
    const bcme = 'bcme,correct horse,Bcme,b@bcme.example'
    expect(problemsOf(`${ACME},,,,${SHOP}`, `${bcme},,,,Shop,shop horse,The Shop`)).toEqual([
      'line 3: Shop is a retailer of another supplier on line 2',
    ])
  })

  it('is not both a supplier and a retailer', () => {
    expect(
      problemsOf(`${ACME},,,,${SHOP}`, 'Shop,correct horse,Shop,s@shop.example,,,,,,'),
    ).toEqual(['line 2: This retailer is a supplier on line 3'])
  })
})
