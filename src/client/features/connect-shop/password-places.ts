import { ADDRESS_USER_NAME } from '../../../shared/address-protection'
import type { Definition } from '../../components/layout/definition-list'

const IN_ADDRESS = `In the address: https://${ADDRESS_USER_NAME}:password@…`

/** Where shops take user name and password. */
export const PASSWORD_PLACES: Definition[] = [
  { term: 'Shopify app (Matrixify)', value: IN_ADDRESS },
  { term: 'WooCommerce (WP All Import)', value: IN_ADDRESS },
  { term: 'Google Merchant', value: 'In fields: Edit schedule, Add authentication information' },
  {
    term: 'Adobe Commerce',
    value: `In the line of the scheduler: curl -u ${ADDRESS_USER_NAME}:password`,
  },
  { term: 'Excel', value: 'In fields, when it asks how to connect: choose Basic' },
  { term: 'Scripts', value: `curl -u ${ADDRESS_USER_NAME}:password, or as a Bearer token` },
  { term: 'Google Sheets', value: 'Nowhere: it sends no password' },
]
