import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import type { BackupFile, CronJob } from '../../shared/schemas/cron-job'
import type { Page } from '../support/page'
import { until } from '../support/rest-client'
import { columnsOf, rowOf, seeHeading, seeSuccess } from '../support/screen'
import { startStage, type Stage } from '../support/stage'

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

const CRON_JOBS = '/dashboard/super-admin/cron-jobs'
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function openJobs(): Promise<Page> {
  const { page } = await stage.openAs('admin', CRON_JOBS)
  await seeHeading(page, 'Cron Jobs Manager')
  await rowOf(page, 'clean-up').waitFor()
  return page
}

async function listJobs(): Promise<CronJob[]> {
  return (await stage.admin.send('GET', '/api/admin/cron-jobs')).body
}

async function listBackups(): Promise<BackupFile[]> {
  return (await stage.admin.send('GET', '/api/admin/backup-files?jobName=backup')).body
}

describe('the Cron Jobs Manager', () => {
  it('lists the jobs under the specified column headers', async () => {
    const page = await openJobs()
    await expect
      .poll(() => columnsOf(page))
      .toEqual(['Name', 'Description', 'Schedule', 'Last Run', 'Status', 'Actions'])
    const backup = rowOf(page, '0 3 * * *')
    await backup.getByText('Never', { exact: true }).waitFor()
    await backup.getByText('Idle', { exact: true }).waitFor()
    await backup.getByText(/^Next in/).waitFor()
  })

  it('offers Trigger backup only on the backup job', async () => {
    const page = await openJobs()
    await button(page, 'Trigger backup').waitFor()
    await expect.poll(() => button(page, 'Trigger clean-up').count()).toBe(0)
    await button(page, 'Run clean-up').waitFor()
  })

  it('says that a job without backups has none', async () => {
    const page = await openJobs()
    await button(page, 'View backup history of clean-up').click()
    const dialog = page.getByRole('dialog', { name: 'Backup History - clean-up', exact: true })
    await dialog.getByText('No backup files found for this job', { exact: true }).waitFor()
  })

  it('makes a verified backup and downloads it', async () => {
    const page = await openJobs()
    await button(page, 'Trigger backup').click()
    await seeSuccess(page, 'Backup process triggered successfully')
    await rowOf(page, '0 3 * * *').getByText('Succeeded', { exact: true }).waitFor()
    await button(page, 'View backup history of backup').click()
    const dialog = page.getByRole('dialog', { name: 'Backup History - backup', exact: true })
    const [backup] = await listBackups()
    await rowOf(dialog, backup!.filename).getByText('Verified', { exact: true }).waitFor()
    await expect.poll(() => columnsOf(dialog)).toEqual(['Date', 'Filename', 'Size', 'Download'])
    await dialog.getByText(`npm run restore -- ${backup!.filename}`, { exact: true }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('link', { name: `Download ${backup!.filename}` }).click(),
    ])
    expect(download.suggestedFilename()).toBe(backup!.filename)
    expect(await download.failure()).toBeNull()
  })

  it('restores a backup on trial by its button, and shows what came of it', async () => {
    const page = await openJobs()
    await button(page, 'View backup history of backup').click()
    const dialog = page.getByRole('dialog', { name: 'Backup History - backup', exact: true })
    const [backup] = await listBackups()
    const row = rowOf(dialog, backup!.filename)
    await row.getByText('Not tried yet', { exact: true }).waitFor()
    await row.getByText('Test this backup', { exact: true }).click()
    await seeSuccess(page, 'The test of the backup is starting')
    await row.getByText('Restored and compared', { exact: true }).waitFor()
  })

  it('shows a job started elsewhere, and its new backup, without a refresh', async () => {
    const page = await openJobs()
    await button(page, 'View backup history of backup').click()
    const dialog = page.getByRole('dialog', { name: 'Backup History - backup', exact: true })
    const [before] = await listBackups()
    await rowOf(dialog, before!.filename).waitFor()
    await stage.admin.send('POST', '/api/admin/trigger-backup')
    const [after] = await until(listBackups, ([newest]) => newest?.filename !== before?.filename)
    await rowOf(dialog, after!.filename).waitFor()
    await page.keyboard.press('Escape')
    await rowOf(page, '0 3 * * *').getByText('Succeeded', { exact: true }).waitFor()
  })

  it('shows the outcome of past runs', async () => {
    const page = await openJobs()
    await button(page, 'Run clean-up').click()
    await page.getByRole('button', { name: /, run history of clean-up$/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Run History - clean-up', exact: true })
    await rowOf(dialog, 'started manually').getByText('Succeeded', { exact: true }).waitFor()
  })

  it('pauses and resumes a job', async () => {
    const page = await openJobs()
    await button(page, 'Pause clean-up').click()
    await seeSuccess(page, 'Cron job paused')
    await rowOf(page, 'clean-up').getByText('Not scheduled').waitFor()
    await button(page, 'Resume clean-up').click()
    await seeSuccess(page, 'Cron job resumed')
    await rowOf(page, 'clean-up').getByText(/^Next/).waitFor()
  })

  it('asks before deleting a job, and restores it', async () => {
    const page = await openJobs()
    await button(page, 'Delete clean-up').click()
    const dialog = page.getByRole('dialog', { name: 'Delete Cron Job' })
    await button(page, 'Cancel').click()
    await dialog.waitFor({ state: 'detached' })
    expect((await listJobs()).map(({ name }) => name)).toContain('clean-up')
    await button(page, 'Delete clean-up').click()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await seeSuccess(page, 'Cron job deleted successfully')
    await rowOf(page, 'clean-up').waitFor({ state: 'detached' })
    await button(page, 'Restore Jobs').click()
    await rowOf(page, 'clean-up').waitFor()
  })
})
