import { COLUMN_ROLES, type ColumnRole } from '../../../shared/file-profiles'

export const roleNames = COLUMN_ROLES

export const ROLE_LABELS: Record<ColumnRole, string> = {
  sku: 'SKU',
  quantity: 'Quantity',
  barcode: 'Barcode',
  price: 'Price',
}
