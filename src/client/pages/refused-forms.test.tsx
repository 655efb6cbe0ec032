import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'

import { SECRET_MASK } from '../../shared/schemas/source-auth'
import { Toaster } from '../components/toaster'
import { ConnectionDialog } from '../features/connections/connection-dialog'
import { InventoryDataCard } from '../features/inventory/inventory-data-card'
import { AddRetailerDialog } from '../features/retailers/add-retailer-dialog'
import { EditRetailerDialog } from '../features/retailers/edit-retailer-dialog'
import { RetailerSettingsDialog } from '../features/retailers/retailer-settings-dialog'
import { RetailerSettingsForm } from '../features/retailers/retailer-settings-form'
import { StoreInformationCard } from '../features/retailers/store-information-card'
import { AddSupplierDialog, EditSupplierDialog } from '../features/suppliers/supplier-dialog'
import { ChangePasswordDialog } from '../session/change-password-dialog'
import { SignedInUserContext } from '../session/current-user'
import {
  aboutField,
  describeControl,
  fillIn,
  findControl,
  refuseFields,
} from '../testing/refused-form'
import { renderApp, renderWithAnswers, supplierUser, type Answers } from '../testing/render-app'
import { sampleConnection, sampleRetailer } from '../testing/sample-records'

interface RefusedForm {
  /** What is rendered: a part of the product, or the page at a path for somebody signed out. */
  shows: ReactNode | string
  answers?: Answers
  /** A button to press before the form is there. */
  opens?: string
  fill?: Record<string, string>
  submit: string
  /** The call that is refused. */
  call: string
  /** Fields by their names on the screen, with the paths that the refusal names. */
  fields: Record<string, string>
}

const close = () => {}
const dialog = { isOpen: true, onClose: close }
const { url } = sampleConnection.config
const editConnection = (auth: typeof sampleConnection.config.auth) => (
  <ConnectionDialog {...dialog} connection={{ ...sampleConnection, config: { url, auth } }} />
)
const withoutFile: Answers = { 'connections.list': () => [] }
const newRetailer = {
  shows: (
    <SignedInUserContext value={supplierUser}>
      <AddRetailerDialog {...dialog} />
    </SignedInUserContext>
  ),
  fill: {
    Username: 'corner-shop',
    Password: 'correct horse',
    Email: 'corner@shop.example',
    'Store Name': 'Corner Shop',
  },
  submit: 'Create Retailer',
}
const editedRetailer = {
  shows: <EditRetailerDialog {...dialog} retailer={sampleRetailer} />,
  fill: { 'Reset Password': 'correct horse' },
  submit: 'Save',
}
const company = { 'Company Name': 'Acme', 'Contact Email': 'acme@example.com' }
const login = { Username: 'acme', Password: 'correct horse' }

const forms: Record<string, RefusedForm> = {
  'the login': {
    shows: '/auth',
    fill: login,
    submit: 'Login',
    call: 'session.login',
    fields: { Username: 'username', Password: 'password' },
  },
  'the registration': {
    shows: '/auth?mode=register',
    fill: { ...company, ...login },
    submit: 'Create account',
    call: 'session.register',
    fields: {
      'Company Name': 'companyName',
      'Contact Email': 'contactEmail',
      Username: 'username',
      Password: 'password',
    },
  },
  'the change of the own password': {
    shows: <ChangePasswordDialog {...dialog} />,
    fill: {
      'Current Password': 'wrong',
      'New Password': 'correct horse',
      'Confirm New Password': 'correct horse',
    },
    submit: 'Change Password',
    call: 'session.changePassword',
    fields: { 'Current Password': 'currentPassword', 'New Password': 'newPassword' },
  },
  'a new connection': {
    shows: <ConnectionDialog {...dialog} connection={null} />,
    fill: { 'Connection Name': 'Spring', URL: url },
    submit: 'Create Connection',
    call: 'connections.create',
    fields: {
      'Connection Name': 'name',
      'Connection Type': 'type',
      'File Format': 'fileFormat',
      URL: 'config.url',
      'Sync Frequency': 'syncFrequency',
      Access: 'config.auth.type',
    },
  },
  'a connection with a password': {
    shows: editConnection({ type: 'basic', username: 'acme', password: SECRET_MASK }),
    submit: 'Update Connection',
    call: 'connections.update',
    fields: { 'User Name': 'config.auth.username', Password: 'config.auth.password' },
  },
  'a connection with a token': {
    shows: editConnection({ type: 'bearer', token: SECRET_MASK }),
    submit: 'Update Connection',
    call: 'connections.update',
    fields: { Token: 'config.auth.token' },
  },
  'a connection with a header': {
    shows: editConnection({ type: 'header', name: 'X-Api-Key', value: SECRET_MASK }),
    submit: 'Update Connection',
    call: 'connections.update',
    fields: { 'Header Name': 'config.auth.name', 'Header Value': 'config.auth.value' },
  },
  'the login of a new retailer': {
    ...newRetailer,
    call: 'session.register',
    fields: { Username: 'username', Password: 'password', Email: 'contactEmail' },
  },
  'the record of a new retailer': {
    ...newRetailer,
    answers: { 'session.register': () => supplierUser },
    call: 'retailers.create',
    fields: { 'Store Name': 'storeName' },
  },
  'a retailer’s details': {
    ...editedRetailer,
    call: 'retailers.updateBasicInfo',
    fields: { 'Store Name': 'storeName', 'Store URL': 'storeUrl' },
  },
  'a retailer’s new password': {
    ...editedRetailer,
    answers: { 'retailers.updateBasicInfo': () => sampleRetailer },
    call: 'users.resetPassword',
    fields: { 'Reset Password': 'newPassword' },
  },
  'a retailer’s settings in the dialog': {
    shows: <RetailerSettingsDialog {...dialog} retailer={sampleRetailer} />,
    answers: { ...withoutFile, 'retailers.get': () => sampleRetailer },
    submit: 'Save',
    call: 'retailers.update',
    fields: { Visibility: 'visibilitySettings.categories', 'Sync Frequency': 'syncFrequency' },
  },
  'a retailer’s settings on their page': {
    shows: <RetailerSettingsForm retailer={sampleRetailer} />,
    answers: withoutFile,
    submit: 'Save',
    call: 'retailers.update',
    fields: {
      Visibility: 'visibilitySettings.categories.17',
      'Sync Frequency': 'syncFrequency',
      'Data Delivery Method': 'connectionType',
      'File Format': 'fileFormat',
    },
  },
  'a retailer’s own store': {
    shows: <StoreInformationCard retailer={sampleRetailer} />,
    opens: 'Edit Store Information',
    submit: 'Save',
    call: 'retailers.updateStoreInfo',
    fields: { 'Store Name': 'storeName', 'Store Website': 'storeUrl' },
  },
  'a new supplier': {
    shows: <AddSupplierDialog {...dialog} />,
    fill: { ...login, ...company },
    submit: 'Add Supplier',
    call: 'suppliers.create',
    fields: {
      Username: 'username',
      Password: 'password',
      'Company Name': 'companyName',
      'Contact Email': 'contactEmail',
      'Max Retailers': 'maxRetailers',
    },
  },
  'a supplier’s details': {
    shows: <EditSupplierDialog {...dialog} supplier={supplierUser} />,
    submit: 'Save',
    call: 'suppliers.update',
    fields: {
      'Company Name': 'companyName',
      'Contact Email': 'contactEmail',
      'Max Retailers': 'maxRetailers',
    },
  },
}

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
    <>
      {shows}
      <Toaster />
    </>,
    all,
  )
}

async function fillAndSubmit({ opens, fill = {}, submit }: RefusedForm) {
  if (opens) await userEvent.click(screen.getByRole('button', { name: opens }))
  await fillIn(fill)
  await userEvent.click(await screen.findByRole('button', { name: submit }))
}

describe('a refusal of the server', () => {
  it.each(Object.entries(forms))('stands under the fields it names: %s', async (_name, form) => {
    const { fields } = form
    show(form, refuseFields(Object.values(fields)))
    await fillAndSubmit(form)
    const expected: unknown[] = Object.values(fields).map((path) =>
      expect.stringContaining(aboutField(path)),
    )
    await waitFor(() => expect(Object.keys(fields).map(describeControl)).toEqual(expected))
    expect(document.activeElement).toBe(findControl(Object.keys(fields)[0]!))
  })

  it('stands under the fields of a retailer’s delivery preferences', async () => {
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

  it('is a toast alone when it names no field of the form', async () => {
    const form = forms['a retailer’s own store']!
    show(form, refuseFields(['id', 'visibilitySettings.allProducts']))
    await fillAndSubmit(form)
    expect(await screen.findByText('Not like this')).toBeDefined()
    expect(describeControl('Store Name')).toBe('')
    expect(document.querySelector('[aria-invalid=true]')).toBeNull()
  })

  it('goes when its field is changed, and the others stay', async () => {
    const form = forms['a connection with a header']!
    show(form, refuseFields(Object.values(form.fields)))
    await fillAndSubmit(form)
    await waitFor(() => expect(describeControl('Header Name')).not.toBe(''))
    await fillIn({ 'Header Name': 'X-Other' })
    expect(describeControl('Header Name')).toBe('')
    expect(describeControl('Header Value')).toBe(aboutField('config.auth.value'))
  })
})
