import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

import {
  SFTP_PASSWORD,
  SFTP_USER,
  type SftpServer,
  startSftpServer,
} from '../../server/testing/servers/sftp-server'
import {
  addDialog,
  fieldsOf,
  health,
  openAddDialog,
  previewDialog,
} from '../support/connection-screens'
import { choose, seeSuccess } from '../support/screen'
import { startStage, type Stage } from '../support/stage'

let server: SftpServer
let stage: Stage

beforeAll(async () => {
  server = await startSftpServer()
  server.put('/out/stock_1.csv', 'sku,name,stock\nA1,Boot,4\n')
  stage = await startStage({ FETCH_ALLOW: server.host })
})
afterEach(() => stage.leaveTabs())
afterAll(async () => {
  await stage.close()
  await server.close()
})

it('publishes the newest file of an SFTP server, whose key is confirmed before anything is sent', async () => {
  const page = await openAddDialog(stage, 'harbour')
  const dialog = addDialog(page)
  const { name, url, preview } = fieldsOf(dialog)
  await name.fill('Stock')
  await url.fill(server.url('/out/stock_*.csv').replace('//', `//${SFTP_USER}:${SFTP_PASSWORD}@`))
  await choose(dialog, 'After Publishing', 'Delete it')
  await expect.poll(() => url.inputValue()).toBe(server.url('/out/stock_*.csv'))
  await preview.click()
  await previewDialog(page).getByText('Is this the key of the server?').waitFor()
  expect(server.state.signIns).toEqual([])
  await previewDialog(page).getByRole('button', { name: 'Confirm this key' }).click()
  await previewDialog(page).getByRole('cell', { name: 'Boot' }).waitFor()
  await previewDialog(page).getByText('stock_1.csv').waitFor()
  await previewDialog(page).getByRole('button', { name: 'Use this file' }).click()
  await dialog.getByRole('button', { name: 'Create Connection' }).click()
  await seeSuccess(page, 'Connection created successfully')
  await health(page, 'Stock').getByText('Synced', { exact: true }).waitFor()
  await expect.poll(() => server.files.size).toBe(0)
  await page.getByText('From stock_1.csv').first().waitFor()
})
