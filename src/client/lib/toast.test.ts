import { afterEach, describe, expect, it } from 'vitest'

import { dismissToast, getToast, showError, showSuccess, subscribeToToast } from './toast'

afterEach(() => dismissToast())

describe('the toast store', () => {
  it('replaces the previous toast with the newest', () => {
    showSuccess('Retailer added successfully')
    showError('The server is busy')
    expect(getToast()).toMatchObject({
      kind: 'destructive',
      title: 'Error',
      description: 'The server is busy',
    })
  })

  it('keeps a newer toast when an older one is dismissed', () => {
    showSuccess('first')
    const first = getToast()
    showSuccess('second')
    dismissToast(first?.id)
    expect(getToast()?.description).toBe('second')
  })

  it('notifies listeners of every change until they unsubscribe', () => {
    let calls = 0
    const unsubscribe = subscribeToToast(() => {
      calls += 1
    })
    showSuccess('one')
    dismissToast()
    unsubscribe()
    showSuccess('two')
    expect(calls).toBe(2)
  })
})
