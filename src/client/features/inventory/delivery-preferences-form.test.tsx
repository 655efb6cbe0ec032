import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import { renderInTheme } from '../../testing/render'
import { DeliveryPreferencesForm, type DeliveryPreferences } from './delivery-preferences-form'

function renderForm(saved: DeliveryPreferences) {
  const sent: DeliveryPreferences[] = []
  const form = (current: DeliveryPreferences) => (
    <DeliveryPreferencesForm
      saved={current}
      isPending={false}
      error={null}
      onSave={(preferences) => sent.push(preferences)}
    />
  )
  const { rerender } = renderInTheme(form(saved))
  return { sent, showSaved: (current: DeliveryPreferences) => rerender(form(current)) }
}

const saveButton = () => screen.queryByRole('button', { name: 'Save' })

describe('DeliveryPreferencesForm', () => {
  it('hides Save while nothing has changed', () => {
    renderForm({ connectionType: 'URL', fileFormat: 'CSV' })
    expect(saveButton()).toBeNull()
    expect(screen.getByText('Download via secure URL')).toBeDefined()
  })

  it('shows Save for a changed value, and hides it once that is saved', async () => {
    const { sent, showSaved } = renderForm({ connectionType: 'FTP', fileFormat: 'CSV' })
    expect(screen.getByText('Available on FTP server at /inventory')).toBeDefined()
    await userEvent.click(screen.getByRole('combobox', { name: 'Delivery Method' }))
    await userEvent.click(screen.getByRole('option', { name: 'URL' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(sent).toEqual([{ connectionType: 'URL', fileFormat: 'CSV' }])
    showSaved({ connectionType: 'URL', fileFormat: 'CSV' })
    expect(saveButton()).toBeNull()
  })

  it('lists unsupported methods but does not let them be chosen', async () => {
    renderForm({ connectionType: 'URL', fileFormat: 'CSV' })
    await userEvent.click(screen.getByRole('combobox', { name: 'Delivery Method' }))
    await userEvent.click(screen.getByRole('option', { name: 'EMAIL Coming Soon' }))
    expect(saveButton()).toBeNull()
  })
})
