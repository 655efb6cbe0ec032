import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { AUTOMATIC_READING, AUTOMATIC_ROLES } from '../../shared/automatic-reading'
import { failWithoutMessage, inputSent } from '../support/calls'
import {
  CONNECTIONS,
  addDialog,
  health,
  valueOf,
  fieldsOf,
  openAddDialog,
  openConnected,
} from '../support/connection-screens'
import { readNow, type Locator, type Page } from '../support/page'
import { until } from '../support/rest-client'
import { cellsOf, choose, columnsOf, rowOf, seeError, seeSuccess } from '../support/screen'
import { readConnection, startStage, type Stage, type Supplier } from '../support/stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  stage.sourceServer.set('/good.csv', {
    body: 'sku,name,category\nA1,Boot,Shoes\nA2,Hat,Headwear\n',
  })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const syncButton = (page: Page, name: string) =>
  page.getByRole('button', { name: `Sync now ${name}` })

/** The reason of the last failure; a `p`, because the run bar repeats it for screen readers. */
const reasonOf = (area: Locator, text: string) => area.locator('p').filter({ hasText: text })
const isSynced = async (supplier: Supplier) =>
  until(
    () => readConnection(supplier),
    ({ status }) => status === 'synced',
  )

describe('the list of connections', () => {
  it('offers Add Connection only while there is none', async () => {
    const page = await openAddDialog(stage, 'first')
    const fields = fieldsOf(addDialog(page))
    await fields.name.fill('First feed')
    await fields.url.fill(stage.sourceServer.url('/good.csv'))
    await choose(addDialog(page), 'Sync Frequency', 'FOUR HOURS')
    const sent = await inputSent(page, 'connections.create', () =>
      addDialog(page).getByRole('button', { name: 'Create Connection' }).click(),
    )
    expect(sent).toEqual({
      name: 'First feed',
      type: 'URL',
      fileFormat: 'CSV',
      syncFrequency: 240,
      config: { url: stage.sourceServer.url('/good.csv'), auth: { type: 'none' } },
      isActive: true,
      reading: AUTOMATIC_READING,
      columnRoles: AUTOMATIC_ROLES,
      updates: null,
    })
    await seeSuccess(page, 'Connection created successfully')
    await addDialog(page).waitFor({ state: 'hidden' })
    await health(page, 'First feed').getByText('Synced', { exact: true }).waitFor()
    await expect
      .poll(() => columnsOf(page.getByRole('table', { name: 'Data connections' })))
      .toEqual(['Name', 'Type', 'File Format', 'Last Sync', 'Status', 'Actions'])
    await expect
      .poll(async () => (await readNow(cellsOf(rowOf(page, 'First feed').first()))).slice(1))
      .toEqual([
        'URL',
        'CSV',
        expect.stringMatching(/^(?:just now|1 minute ago)\nEvery 4 hours$/),
        'Active',
        '',
      ])
    await expect.poll(() => page.getByRole('button', { name: 'Add Connection' }).count()).toBe(0)

    await page.goto(`${CONNECTIONS}?add=true`)
    await health(page, 'First feed').waitFor()
    await expect.poll(() => addDialog(page).count()).toBe(0)
  })
})

describe('a connection in the list', () => {
  it('is paused and resumed by its switch, which sends only isActive', async () => {
    const { supplier, name, connection, page } = await openConnected(stage, 'pausing', '/good.csv')
    const active = page.getByRole('switch', { name: `${name} is active` })
    expect(await inputSent(page, 'connections.update', () => active.click())).toEqual({
      id: connection.id,
      isActive: false,
    })
    await seeSuccess(page, 'Connection updated successfully')
    await health(page, name).getByText('Paused', { exact: true }).waitFor()
    await expect.poll(() => valueOf(health(page, name), 'Next run')).toBe('Not scheduled')
    await expect
      .poll(async () => (await readNow(cellsOf(rowOf(page, name).first())))[4])
      .toBe('Not Active')
    expect(await readConnection(supplier)).toMatchObject({ isActive: false, status: 'paused' })

    await syncButton(page, name).click()
    await seeError(page, 'This connection is paused. Activate it to sync.')

    expect(await inputSent(page, 'connections.update', () => active.click())).toEqual({
      id: connection.id,
      isActive: true,
    })
    await health(page, name).getByText('Synced', { exact: true }).waitFor()
    await expect.poll(() => active.isChecked()).toBe(true)
  })

  it('keeps its state when its switch fails', async () => {
    const { name, page } = await openConnected(stage, 'stuck', '/good.csv')
    await failWithoutMessage(page, 'connections.update')
    const active = page.getByRole('switch', { name: `${name} is active` })
    await active.click()
    await seeError(page, 'Failed to update connection')
    await expect.poll(() => active.isChecked()).toBe(true)
    await expect.poll(() => active.isEnabled()).toBe(true)
  })

  it('shows why its source fails, keeps the last good file, and recovers with Sync now', async () => {
    stage.sourceServer.set('/moody.csv', { body: 'sku,name\nA1,Boot\n' })
    const { supplier, name, page } = await openConnected(stage, 'moody', '/moody.csv')
    await expect.poll(() => valueOf(health(page, name), 'Health')).toBe('Synced')
    const { lastSync } = await readConnection(supplier)

    stage.sourceServer.set('/moody.csv', { status: 503, body: 'later' })
    await syncButton(page, name).click()
    await health(page, name).getByText('Failed', { exact: true }).waitFor()
    const reason = reasonOf(health(page, name), 'The server answered 503 Service Unavailable.')
    await reason.waitFor()
    await health(page, name)
      .getByText(/Retailers keep the last good file, as of/)
      .waitFor()
    await expect.poll(() => valueOf(health(page, name), 'Last attempt')).toMatch(/, failed$/)
    expect(await readConnection(supplier)).toMatchObject({ lastSync, consecutiveFailures: 1 })
    const keptTime = health(page, name).getByText('Retailers keep').locator('time')
    await expect.poll(() => keptTime.getAttribute('datetime')).toBe(lastSync)

    stage.sourceServer.set('/moody.csv', { body: 'sku,name\nA1,Boot\nA2,Hat\n' })
    await syncButton(page, name).click()
    await health(page, name).getByText('Synced', { exact: true }).waitFor()
    await expect.poll(() => reason.count()).toBe(0)
    await isSynced(supplier)
  })

  it('says that there is no file yet when no sync has succeeded', async () => {
    const { name, page } = await openConnected(stage, 'luckless', '/nowhere.csv')
    await health(page, name).getByText('Failed', { exact: true }).waitFor()
    await reasonOf(health(page, name), 'The server answered 404 Not Found.').waitFor()
    await health(page, name).getByText('There is no file for retailers yet.').waitFor()
    await expect.poll(() => valueOf(health(page, name), 'Last success')).toBe('Never')
    await expect
      .poll(async () => (await readNow(cellsOf(rowOf(page, name).first())))[3])
      .toBe('Never\nEvery 4 hours')
  })
})
