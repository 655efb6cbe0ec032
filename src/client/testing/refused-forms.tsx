import type { ReactNode } from 'react'

import { SECRET_MASK } from '../../shared/schemas/source-auth'
import { ConnectionDialog } from '../features/connections/connection-dialog'
import { AddRetailerDialog } from '../features/retailers/add-retailer-dialog'
import { EditRetailerDialog } from '../features/retailers/edit-retailer-dialog'
import { RetailerSettingsDialog } from '../features/retailers/retailer-settings-dialog'
import { RetailerSettingsForm } from '../features/retailers/retailer-settings-form'
import { StoreInformationCard } from '../features/retailers/store-information-card'
import { CompanyProfileForm } from '../features/suppliers/company-profile-form'
import { ResetPasswordDialog } from '../features/suppliers/reset-password-dialog'
import { AddSupplierDialog, EditSupplierDialog } from '../features/suppliers/supplier-dialog'
import { ChangePasswordDialog } from '../session/change-password-dialog'
import { SignedInUserContext } from '../session/current-user'
import { supplierUser, type Answers } from './render-app'
import { sampleConnection, sampleRetailer } from './sample-records'

/** A form of the product, and how to submit it so that the server refuses the call. */
export interface RefusedForm {
  /** What to render: an element, or the page at a path for a signed-out user. */
  shows: ReactNode | string
  answers?: Answers
  /** Name of a button that opens the form. */
  opens?: string
  fill?: Record<string, string>
  submit: string
  /** The call that is refused. */
  call: string
  /** Input path of each field by its label. */
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
const sampleProfile = {
  companyName: 'Acme',
  publicEmail: null,
  publicPhone: null,
  publicWebsite: null,
}
const company = { 'Company Name': 'Acme', 'Contact Email': 'acme@example.com' }
const login = { Username: 'acme', Password: 'correct horse' }

export const refusedForms: Record<string, RefusedForm> = {
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
  'a supplier’s own profile': {
    shows: <CompanyProfileForm profile={sampleProfile} />,
    submit: 'Save',
    call: 'suppliers.updateProfile',
    fields: {
      'Company Name': 'companyName',
      'Contact Email': 'publicEmail',
      'Contact Phone': 'publicPhone',
      Website: 'publicWebsite',
    },
  },
  'a supplier’s new password': {
    shows: <ResetPasswordDialog {...dialog} supplier={supplierUser} />,
    fill: { 'New Password': 'correct horse' },
    submit: 'Reset Password',
    call: 'users.resetPassword',
    fields: { 'New Password': 'newPassword' },
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
