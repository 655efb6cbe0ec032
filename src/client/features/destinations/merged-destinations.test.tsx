import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'

import { shopFormatSchema } from '../../../shared/schemas/shop-format'
import {
  dispatchPage,
  sampleDestination,
  sampleDestinations,
  sampleDispatch,
} from '../../testing/destination-answers'
import { renderWithAnswers } from '../../testing/render-app'
import { clickButton } from '../../testing/secret-link-answers'
import { SendMyFile } from './send-my-file'

it('a merged file is sent by calls of its own, which name no retailer', async () => {
  const calls: [string, unknown][] = []
  const note = (name: string, answer: unknown) => (input: unknown) => {
    calls.push([name, input])
    return answer
  }
  const list = { ...sampleDestinations([sampleDestination]), hasDispatches: true }
  renderWithAnswers(<SendMyFile file="merged" supplierName="merged" viewedBy="retailer" />, {
    'mergedDestinations.list': () => list,
    'mergedDestinations.listDispatches': () => dispatchPage([sampleDispatch]),
    'mergedDestinations.create': note('create', list),
    'mergedDestinations.sendNow': note('sendNow', list),
    'mergedDestinations.test': note('test', { isOk: true, text: 'Taken.' }),
    'mergedFile.get': () => ({ settings: { profile: shopFormatSchema.parse({ kind: 'stock' }) } }),
  })
  expect(await screen.findByText('Send my merged file')).toBeDefined()
  const place = { destinationId: sampleDestination.id }
  await clickButton(`Actions for ${sampleDestination.name}`)
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Send now' }))
  await waitFor(() => expect(calls).toEqual([['sendNow', place]]))
  await clickButton(`Actions for ${sampleDestination.name}`)
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Test' }))
  await waitFor(() => expect(calls.at(-1)).toEqual(['test', place]))
  await clickButton('Done')
  expect((await screen.findByRole('link', { name: 'Export CSV' })).getAttribute('href')).toMatch(
    /^\/api\/merged-file\/dispatches\.csv/,
  )
  await clickButton('Add destination')
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(await dialog.findByRole('radio', { name: /^SFTP/ }))
  expect(await dialog.findByText(/^Now: /)).toBeDefined()
  expect(dialog.getByDisplayValue('As the merged file')).toBeDefined()
})
