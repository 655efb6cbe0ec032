import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { Toaster } from '../components/feedback/toaster'
import { InventoryDataCard } from '../features/inventory/inventory-data-card'
import { SignedInUserContext } from '../session/current-user'
import {
  aboutField,
  describeControl,
  fillIn,
  findControl,
  refuseFields,
} from '../testing/refused-fields'
import { refusedForms, type RefusedForm } from '../testing/refused-forms'
import { renderApp, renderWithAnswers, supplierUser } from '../testing/render-app'
import { sampleRetailer } from '../testing/sample-records'

function show({ shows, answers = {}, call }: RefusedForm, refuse: () => never) {
  const all = {
    'users.username': () => ({ id: 101, username: 'store-1' }),
    ...answers,
    [call]: refuse,
  }
  if (typeof shows === 'string') {
    return renderApp(shows, supplierUser, { 'session.current': () => null, ...all })
  }
  return renderWithAnswers(
    <SignedInUserContext value={supplierUser}>
      {shows}
      <Toaster />
    </SignedInUserContext>,
    all,
  )
}

async function fillAndSubmit({ opens, fill = {}, submit }: RefusedForm) {
  if (opens) await userEvent.click(screen.getByRole('button', { name: opens }))
  await fillIn(fill)
  await userEvent.click(await screen.findByRole('button', { name: submit }))
}

describe('field errors from the server', () => {
  it.each(Object.entries(refusedForms))(
    'appear under the fields of the form: %s',
    async (_name, form) => {
      const { fields } = form
      show(form, refuseFields(Object.values(fields)))
      await fillAndSubmit(form)
      const expected: unknown[] = Object.values(fields).map((path) =>
        expect.stringContaining(aboutField(path)),
      )
      await waitFor(() => expect(Object.keys(fields).map(describeControl)).toEqual(expected))
      expect(document.activeElement).toBe(findControl(Object.keys(fields)[0]!))
    },
  )

  it('appear under the fields of a retailer’s delivery preferences', async () => {
    const retailer = { ...sampleRetailer, connectionType: 'FTP', fileFormat: 'XML' } as const
    renderWithAnswers(<InventoryDataCard retailer={retailer} />, {
      'retailers.latestFile': () => ({ message: 'No file is available yet' }),
      'retailers.updateDeliveryPreferences': refuseFields(['connectionType', 'fileFormat']),
    })
    await userEvent.click(screen.getByRole('combobox', { name: 'Delivery Method' }))
    await userEvent.click(screen.getByRole('option', { name: 'URL' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect([describeControl('Delivery Method'), describeControl('File Format')]).toEqual([
        expect.stringContaining(aboutField('connectionType')),
        aboutField('fileFormat'),
      ]),
    )
    expect(document.activeElement).toBe(findControl('Delivery Method'))
  })

  it('appear only as a toast when no field of the form matches', async () => {
    const form = refusedForms['a retailer’s own store']!
    show(form, refuseFields(['id', 'visibilitySettings.allProducts']))
    await fillAndSubmit(form)
    expect(await screen.findByText('Not like this')).toBeDefined()
    expect(describeControl('Store Name')).toBe('')
    expect(document.querySelector('[aria-invalid=true]')).toBeNull()
  })

  it('disappear only from the field that is edited', async () => {
    const form = refusedForms['a connection with a header']!
    show(form, refuseFields(Object.values(form.fields)))
    await fillAndSubmit(form)
    await waitFor(() => expect(describeControl('Header Name')).not.toBe(''))
    await fillIn({ 'Header Name': 'X-Other' })
    expect(describeControl('Header Name')).toBe('')
    expect(describeControl('Header Value')).toBe(aboutField('config.auth.value'))
  })
})
