import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'

import type { CompanyProfile } from '../../../shared/schemas/supplier'
import { renderInTheme } from '../../testing/render'
import { SupplierContactList } from './supplier-contact'

const nothing: CompanyProfile = {
  companyName: 'Northbeck',
  publicEmail: null,
  publicPhone: null,
  publicWebsite: null,
}

describe('SupplierContactList', () => {
  it('links what the supplier has published', () => {
    const profile = {
      ...nothing,
      publicEmail: 'sales?cc=x@northbeck.example',
      publicPhone: '+44 (20) 7946-0000',
      publicWebsite: 'northbeck.example',
    }
    renderInTheme(<SupplierContactList profile={profile} />)
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
    expect(links).toEqual([
      'mailto:sales%3Fcc=x@northbeck.example',
      'tel:+442079460000',
      'https://northbeck.example/',
    ])
  })

  it.each([nothing, null, undefined, { ...nothing, publicWebsite: 'javascript:alert(1)' }])(
    'has no links when nothing is published: %j',
    (profile) => {
      renderInTheme(<SupplierContactList profile={profile} />)
      expect(screen.getByText('Your supplier')).toBeDefined()
      expect(screen.queryByRole('link')).toBeNull()
    },
  )
})
