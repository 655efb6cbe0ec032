import { describe, expect, it } from 'vitest'

import { createFairGate } from './fair-gate'

/** A gate that admits one call at a time. Calls are named by account and address: `eve@x`. */
function openGate(maxWaiting = 50, maxWaitingPerAccount = 10) {
  const enter = createFairGate({ maxActive: 1, maxWaiting, maxWaitingPerAccount })
  const order: string[] = []
  const refused: string[] = []
  let release: () => void = () => undefined
  const first = enter(
    { account: 'first', address: 'first' },
    () => new Promise<void>((resolve) => (release = resolve)),
  )
  const asked: Promise<unknown>[] = [first]
  return {
    refused,
    /** `then` runs each time the call is admitted, and may ask again. */
    ask(name: string, then?: () => void) {
      const [account = '', address = ''] = name.split('@')
      const work = async () => {
        order.push(name)
        then?.()
      }
      asked.push(enter({ account, address }, work).catch(() => refused.push(name)))
    },
    /** Returns the names in the order in which they were admitted. */
    async open() {
      release()
      for (let count = 0; count < asked.length; count += 1) await asked[count]
      return order
    },
  }
}

/** `name` is a pattern in which # stands for the call's number. */
function askOften(gate: ReturnType<typeof openGate>, count: number, name: string) {
  for (let number = 0; number < count; number += 1) gate.ask(name.replace('#', String(number)))
}

describe('a waiting call', () => {
  it('is admitted in turn, account by account', async () => {
    const gate = openGate()
    for (const name of ['ann@x', 'ann@x', 'ann@x', 'ben@y', 'ben@y', 'cid@z']) gate.ask(name)
    expect(await gate.open()).toEqual(['ann@x', 'ben@y', 'cid@z', 'ann@x', 'ben@y', 'ann@x'])
  })

  it.each([
    ['one account at one address', 'eve@x'],
    ['one account at many addresses', 'eve@#'],
    ['many accounts at one address', '#@x'],
  ])('waits for at most one call of a flood from %s', async (_who, flood) => {
    const gate = openGate(50, 50)
    askOften(gate, 40, flood)
    gate.ask('admin@home')
    expect((await gate.open()).indexOf('admin@home')).toBeLessThanOrEqual(1)
  })

  it('waits for at most one call of its own account from another address', async () => {
    const gate = openGate(50, 50)
    askOften(gate, 40, 'admin@x')
    gate.ask('admin@home')
    expect((await gate.open()).indexOf('admin@home')).toBe(1)
  })

  it('waits for at most one call of another account from its own address', async () => {
    const gate = openGate(50, 50)
    askOften(gate, 40, 'eve@office')
    gate.ask('admin@office')
    expect((await gate.open()).indexOf('admin@office')).toBe(1)
  })

  it.each([
    ['a new account of the same address', '#@x'],
    ['the same account at a new address', 'eve@#'],
    ['the same account and address', 'eve@x'],
  ])('is not overtaken for ever by %s', async (_what, name) => {
    const gate = openGate()
    let count = 0
    const askAgain = () => {
      if (count < 100) gate.ask(name.replace('#', String((count += 1))), askAgain)
    }
    askAgain()
    askAgain()
    for (const office of ['ann@office', 'ben@office', 'cid@office']) gate.ask(office)
    const order = await gate.open()
    expect(order.indexOf('cid@office')).toBeLessThan(10)
  })
})

describe('a full queue', () => {
  it('refuses the newest call of the account with the most waiting calls', async () => {
    const gate = openGate(4)
    for (const name of ['ann@x', 'eve@y', 'eve@z', 'ben@x', 'cid@x']) gate.ask(name)
    expect((await gate.open()).toSorted()).toEqual(['ann@x', 'ben@x', 'cid@x', 'eve@y'])
    expect(gate.refused).toEqual(['eve@z'])
  })

  it('refuses the newest call of the address with the most, when every account has one', async () => {
    const gate = openGate(3)
    for (const name of ['a@x', 'b@x', 'c@x', 'admin@home']) gate.ask(name)
    expect((await gate.open()).toSorted()).toEqual(['a@x', 'admin@home', 'b@x'])
    expect(gate.refused).toEqual(['c@x'])
  })

  it('refuses the newest call when no account or address has more than another', async () => {
    const gate = openGate(2)
    for (const name of ['ann@x', 'ben@y', 'cid@z']) gate.ask(name)
    expect(await gate.open()).toEqual(['ann@x', 'ben@y'])
    expect(gate.refused).toEqual(['cid@z'])
  })

  it('refuses calls of the address with the most, when one account has too many', async () => {
    const gate = openGate(50, 3)
    for (const name of ['eve@x', 'eve@x', 'eve@x', 'eve@home', 'eve@x']) gate.ask(name)
    expect((await gate.open()).toSorted()).toEqual(['eve@home', 'eve@x', 'eve@x'])
    expect(gate.refused).toEqual(['eve@x', 'eve@x'])
  })
})

describe('work that fails', () => {
  it('admits the next call', async () => {
    const enter = createFairGate({ maxActive: 1, maxWaiting: 1, maxWaitingPerAccount: 1 })
    const who = { account: 'ann', address: 'x' }
    const failing = enter(who, () => Promise.reject(new Error('broken')))
    const next = enter(who, () => Promise.resolve('done'))
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('done')
    expect(await enter(who, () => Promise.resolve('again'))).toBe('again')
  })
})
