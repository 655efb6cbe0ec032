import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { holdCalls, inputSent, watchCalls } from '../support/calls'
import type { Locator, Page } from '../support/page'
import { RETAILERS, save, openList, openDialog, clearStoreName } from '../support/retailer-list'
import {
  choose,
  discardChanges,
  discardQuestion,
  isFocused,
  messageOf,
  rowOf,
  seeError,
  seePath,
  seeSuccess,
} from '../support/screen'
import { listRetailers, startStage, type Stage } from '../support/stage'
import { waitUntilIdle } from '../support/traffic'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const settingsDialog = (page: Page) => page.getByRole('dialog', { name: /^Retailer Settings/ })
const frequency = (area: Page | Locator) => area.getByRole('combobox', { name: 'Sync Frequency' })

/** Whether the browser would ask before it closes the window. */
const isKeptOpen = (page: Page) =>
  page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))

describe('the Retailer Settings dialog', () => {
  it('names the store, explains each frequency and saves', async () => {
    const { supplier, retailer, page, name } = await openList(stage, 'settler', {
      storeName: 'Settled',
    })
    await openDialog(page, `Settings of ${name}`, settingsDialog(page))
    const dialog = settingsDialog(page)
    await dialog.getByText('Settled', { exact: true }).waitFor()
    await dialog.getByText('Allow access to all products in your inventory').waitFor()
    const showAll = dialog.getByRole('switch', { name: 'Show All Products' })
    await expect.poll(() => showAll.isChecked()).toBe(true)
    await expect.poll(() => frequency(dialog).inputValue()).toBe('DAILY')
    await dialog.getByText('How often should inventory data be synced (in minutes)').waitFor()
    await choose(dialog, 'Sync Frequency', 'UNLIMITED (real-time)')
    await dialog.getByText('Get real-time inventory updates without restrictions').waitFor()
    await expect.poll(() => dialog.getByText('How often should inventory').count()).toBe(0)
    const sent = await inputSent(page, 'retailers.update', () => save(dialog))
    expect(sent).toMatchObject({
      id: retailer.id,
      syncFrequency: 0,
      visibilitySettings: { allProducts: true },
    })
    expect(sent).not.toHaveProperty('connectionType')
    await seeSuccess(page, 'Settings updated successfully')
    await dialog.waitFor({ state: 'hidden' })
    expect(await listRetailers(supplier)).toMatchObject([{ syncFrequency: 0 }])
  })

  it('changes nothing on Cancel', async () => {
    const { supplier, page, name } = await openList(stage, 'waverer')
    await openDialog(page, `Settings of ${name}`, settingsDialog(page))
    await choose(settingsDialog(page), 'Sync Frequency', 'HOURLY')
    const cancel = settingsDialog(page).getByRole('button', { name: 'Cancel' })
    await cancel.click()
    const keep = discardQuestion(page).getByRole('button', { name: 'Keep editing' })
    await expect.poll(() => isFocused(keep)).toBe(true)
    await page.keyboard.press('Escape')
    await discardQuestion(page).waitFor({ state: 'hidden' })
    await expect.poll(() => isFocused(cancel)).toBe(true)
    await expect.poll(() => frequency(settingsDialog(page)).inputValue()).toBe('HOURLY')
    await page.keyboard.press('Escape')
    await expect.poll(() => isFocused(keep)).toBe(true)
    await discardChanges(page)
    await settingsDialog(page).waitFor({ state: 'hidden' })
    await expect
      .poll(() => isFocused(page.getByRole('button', { name: `Settings of ${name}` })))
      .toBe(true)
    await openDialog(page, `Settings of ${name}`, settingsDialog(page))
    await expect.poll(() => frequency(settingsDialog(page)).inputValue()).toBe('DAILY')
    expect(await listRetailers(supplier)).toMatchObject([{ syncFrequency: 1440 }])
  })

  it('shows the server’s error when the retailer was deleted', async () => {
    const { supplier, retailer, page, name } = await openList(stage, 'latecomer')
    await openDialog(page, `Settings of ${name}`, settingsDialog(page))
    // Of which the page would be told before anybody could save.
    const letThrough = await holdCalls(page, 'retailers.page')
    await supplier.rest.send('DELETE', `/api/retailers/${retailer.id}`)
    await save(settingsDialog(page))
    await seeError(page, 'Retailer not found')
    letThrough()
    await page.getByText('No retailers yet').waitFor()
  })
})

describe('the settings page of a retailer', () => {
  it('does not save until a stored frequency of 0 is changed', async () => {
    const { supplier, retailer, page } = await openList(stage, 'pager', {
      storeName: 'Paged Store',
    })
    await supplier.rest.send('PATCH', `/api/retailers/${retailer.id}`, { syncFrequency: 0 })
    await page.goto(`${RETAILERS}/${retailer.id}`)
    await page.getByRole('heading', { name: 'Paged Store', level: 1 }).waitFor()
    await page.getByText('Get real-time inventory updates without restrictions').waitFor()
    await waitUntilIdle(page)
    const calls = watchCalls(page)
    await save(page)
    await expect.poll(() => messageOf(frequency(page))).toBe('Sync frequency must be at least 1')
    await waitUntilIdle(page)
    expect(calls).toEqual([])

    await choose(page, 'Sync Frequency', 'TWELVE HOURS')
    await page.getByText('How often should inventory data be synced (in minutes)').waitFor()
    await expect.poll(() => messageOf(frequency(page))).toBe('')
    const sent = await inputSent(page, 'retailers.update', () => save(page))
    expect(sent).toMatchObject({
      id: retailer.id,
      syncFrequency: 720,
      connectionType: 'URL',
      fileFormat: 'CSV',
    })
    await seeSuccess(page, 'Settings updated successfully')
    expect(await listRetailers(supplier)).toMatchObject([{ syncFrequency: 720 }])
    await expect.poll(() => page.getByText('Unsaved changes').count()).toBe(0)
    await expect.poll(() => isKeptOpen(page)).toBe(false)
    await frequency(page).click()
    await expect.poll(() => page.getByRole('option', { name: /UNLIMITED/ }).count()).toBe(0)
    await page.keyboard.press('Escape')

    const back = page.getByRole('link', { name: 'Back', exact: true })
    await choose(page, 'Sync Frequency', 'HOURLY')
    await page.getByText('Unsaved changes').waitFor()
    await expect.poll(() => isKeptOpen(page)).toBe(true)
    await back.click()
    await discardQuestion(page).getByRole('button', { name: 'Keep editing' }).click()
    await expect.poll(() => isFocused(back)).toBe(true)
    await expect.poll(() => frequency(page).inputValue()).toBe('HOURLY')
    await back.click()
    await discardChanges(page)
    await rowOf(page, 'Paged Store').waitFor()
    await seePath(page, RETAILERS)
  })

  it('lists unsupported options as Coming Soon', async () => {
    const { retailer, page } = await openList(stage, 'soon')
    await page.goto(`${RETAILERS}/${retailer.id}`)
    const see = async (label: string, usable: string, others: string[]) => {
      const select = page.getByRole('combobox', { name: label })
      await select.click()
      for (const name of others) {
        const option = page.getByRole('option', { name: `${name} Coming Soon` })
        await expect.poll(() => option.isDisabled(), { message: name }).toBe(true)
      }
      const option = page.getByRole('option', { name: usable, exact: true })
      await expect.poll(() => option.isEnabled()).toBe(true)
      await page.keyboard.press('Escape')
      await expect.poll(() => select.inputValue()).toBe(usable)
    }
    await see('Data Delivery Method', 'URL', ['FTP', 'EMAIL', 'DATABASE'])
    await see('File Format', 'CSV', ['EXCEL', 'XML'])
  })

  it('is called Unnamed Retailer without a store name', async () => {
    const { retailer, page } = await openList(stage, 'unnamed')
    await clearStoreName(stage, retailer.id)
    await page.goto(`${RETAILERS}/${retailer.id}`)
    await page.getByRole('heading', { name: 'Unnamed Retailer', level: 1 }).waitFor()
  })

  it('is not found for another supplier’s retailer, and links back', async () => {
    const other = await openList(stage, 'neighbour')
    const { page } = await openList(stage, 'visitor')
    for (const id of [other.retailer.id, 987_654, 'nonsense']) {
      await page.goto(`${RETAILERS}/${id}`)
      await page.getByText('Retailer not found', { exact: true }).waitFor()
    }
    await page.getByRole('link', { name: 'Back to Retailers' }).click()
    await rowOf(page, 'visitor-shop store').waitFor()
  })
})
