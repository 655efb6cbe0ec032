import { afterEach, describe, expect, it } from 'vitest'

import { dismissToast, getToast, showError, showSuccess, subscribeToToast } from './toast'

afterEach(() => dismissToast())

describe('the toast store', () => {
  it('shows the newest toast in place of the one before', () => {
    showSuccess('Retailer added successfully')
    showError('The server is busy')
    expect(getToast()).toMatchObject({
      kind: 'destructive',
      title: 'Error',
      description: 'The server is busy',
    })
  })

  it('leaves a newer toast alone when an older one is dismissed', () => {
    showSuccess('first')
    const first = getToast()
    showSuccess('second')
    dismissToast(first?.id)
    expect(getToast()?.description).toBe('second')
  })

  it('tells its listeners of every change until they leave', () => {
    let calls = 0
    const leave = subscribeToToast(() => {
      calls += 1
    })
    showSuccess('one')
    dismissToast()
    leave()
    showSuccess('two')
    expect(calls).toBe(2)
  })
})
