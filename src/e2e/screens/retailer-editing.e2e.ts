import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import {
  failWithoutMessage,
  holdCalls,
  inputSent,
  routeCalls,
  UNREACHABLE,
  watchCalls,
  whileOffline,
} from '../support/calls'
import type { Page } from '../support/page'
import { save, openList, openDialog, canSignIn } from '../support/retailer-list'
import { isFocused, messageOf, messagesOf, rowOf, seeError, seeSuccess } from '../support/screen'
import { listRetailers, PASSWORD, startStage, type Stage } from '../support/stage'
import { waitUntilIdle } from '../support/traffic'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const editDialog = (page: Page) => page.getByRole('dialog', { name: 'Edit Retailer' })

const editFields = (page: Page) => ({
  username: editDialog(page).getByLabel('Username'),
  storeName: editDialog(page).getByLabel('Store Name'),
  storeUrl: editDialog(page).getByLabel('Store URL'),
  newPassword: editDialog(page).getByLabel('Reset Password', { exact: true }),
})

describe('the Edit Retailer dialog', () => {
  it('shows the username and saves the store without touching the password', async () => {
    const { supplier, retailer, page, name } = await openList(stage, 'editor')
    await openDialog(page, `Edit ${name}`, editDialog(page))
    const fields = editFields(page)
    await expect.poll(() => fields.username.inputValue()).toBe('editor-shop')
    await expect.poll(() => fields.username.isEditable()).toBe(false)
    await editDialog(page).getByText('Username cannot be changed').waitFor()
    await editDialog(page).getByText('Leave empty to keep the current password').waitFor()
    await fields.storeName.fill('New Name')
    await fields.storeUrl.fill('new.example')
    const calls = watchCalls(page)
    const sent = await inputSent(page, 'retailers.updateBasicInfo', () => save(editDialog(page)))
    expect(sent).toEqual({ id: retailer.id, storeName: 'New Name', storeUrl: 'new.example' })
    await seeSuccess(page, 'Retailer updated')
    await editDialog(page).waitFor({ state: 'hidden' })
    await rowOf(page, 'New Name')
      .getByRole('link', { name: /new\.example/ })
      .waitFor()
    await waitUntilIdle(page)
    expect(calls).not.toContain('users.resetPassword')
    expect(await canSignIn(stage, 'editor-shop', PASSWORD)).toBe(true)
    expect(await listRetailers(supplier)).toMatchObject([
      { storeName: 'New Name', storeUrl: 'new.example' },
    ])
  })

  it('shows an error under each invalid field', async () => {
    const { page, name } = await openList(stage, 'sloppy')
    await openDialog(page, `Edit ${name}`, editDialog(page))
    const { storeName, storeUrl, newPassword } = editFields(page)
    await storeName.fill(' ')
    await storeUrl.fill('javascript:alert(1)')
    await newPassword.fill('short')
    await save(editDialog(page))
    await editDialog(page).getByText('Store name is required').waitFor()
    await expect
      .poll(() => messagesOf({ storeName, storeUrl, newPassword }))
      .toEqual({
        storeName: 'Store name is required',
        storeUrl: 'Enter a web address, for example shop.example',
        newPassword: 'Password must be at least 6 characters',
      })
    await expect.poll(() => isFocused(storeName)).toBe(true)
  })

  it('resets the password when one was entered', async () => {
    const { retailer, page, name } = await openList(stage, 'resetter')
    await openDialog(page, `Edit ${name}`, editDialog(page))
    await editFields(page).newPassword.fill('brand-new-password')
    const sent = await inputSent(page, 'users.resetPassword', () => save(editDialog(page)))
    expect(sent).toEqual({ userId: retailer.userId, newPassword: 'brand-new-password' })
    await seeSuccess(page, 'Password updated successfully')
    await editDialog(page).waitFor({ state: 'hidden' })
    expect(await canSignIn(stage, 'resetter-shop', PASSWORD)).toBe(false)
    expect(await canSignIn(stage, 'resetter-shop', 'brand-new-password')).toBe(true)
  })

  it('says that only the password reset failed', async () => {
    const { supplier, retailer, page, name } = await openList(stage, 'halfdone')
    await openDialog(page, `Edit ${name}`, editDialog(page))
    await editFields(page).newPassword.fill('brand-new-password')
    const release = await holdCalls(page, 'users.resetPassword')
    await inputSent(page, 'users.resetPassword', () => save(editDialog(page)))
    await supplier.rest.send('DELETE', `/api/retailers/${retailer.id}`)
    release()
    await seeError(page, 'Password reset failed: User not found')
  })

  it('shows a fallback text for a password reset that failed without a message', async () => {
    const { page, name } = await openList(stage, 'wordless')
    await openDialog(page, `Edit ${name}`, editDialog(page))
    await editFields(page).newPassword.fill('brand-new-password')
    await failWithoutMessage(page, 'users.resetPassword')
    await save(editDialog(page))
    await seeError(page, 'Password reset failed: Failed to reset password')
    await expect.poll(() => editDialog(page).isVisible()).toBe(true)
  })

  it('says when the username cannot be loaded', async () => {
    const { supplier, retailer, page, name } = await openList(stage, 'gone')
    // The list that the page has brought is read once more.
    await waitUntilIdle(page)
    await supplier.rest.send('DELETE', `/api/retailers/${retailer.id}`)
    await openDialog(page, `Edit ${name}`, editDialog(page))
    await seeError(page, 'Failed to fetch user data')
    await expect.poll(() => editFields(page).username.inputValue()).toBe('Username not available')
  })

  it('stays open and keeps its input when the server cannot be reached', async () => {
    const { tab, supplier, page, name } = await openList(stage, 'offline')
    await openDialog(page, `Edit ${name}`, editDialog(page))
    await expect.poll(() => editFields(page).username.inputValue()).toBe('offline-shop')
    await editFields(page).storeName.fill('Never Saved')
    await whileOffline(tab, async () => {
      await save(editDialog(page))
      await seeError(page, UNREACHABLE)
      await rowOf(page, name).waitFor()
    })
    await expect.poll(() => editFields(page).storeName.inputValue()).toBe('Never Saved')
    expect(await listRetailers(supplier)).toMatchObject([{ storeName: name }])
  })

  it('shows an edit at once, and reverts it when the server refuses it', async () => {
    const { supplier, page, name } = await openList(stage, 'hopeful', { storeName: 'Old Store' })
    await openDialog(page, `Edit ${name}`, editDialog(page))
    await editFields(page).storeName.fill('Hoped For')
    let refuse: () => void = () => undefined
    const isRefused = new Promise<void>((resolve) => {
      refuse = resolve
    })
    await routeCalls(page, 'retailers.updateBasicInfo', async (route) => {
      await isRefused
      // The form would not send this name, so the error comes from the server.
      const input = (route.request().postDataJSON() as Record<string, object>)[0]
      await route.continue({ postData: { 0: { ...input, storeName: 'x'.repeat(201) } } })
    })
    await save(editDialog(page))
    await rowOf(page, 'Hoped For').waitFor()
    await expect.poll(() => rowOf(page, 'Old Store').count()).toBe(0)
    refuse()
    await seeError(page, 'Store name must be at most 200 characters')
    await rowOf(page, 'Old Store').waitFor()
    await expect.poll(() => rowOf(page, 'Hoped For').count()).toBe(0)
    await expect.poll(() => messageOf(editFields(page).storeName)).toMatch(/at most 200/)
    expect(await listRetailers(supplier)).toMatchObject([{ storeName: 'Old Store' }])
  })
})
