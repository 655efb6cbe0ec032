import { useState, type ReactNode } from 'react'

import type { VisibilitySettings } from '../../../shared/schemas/retailer'
import { ConfirmDialog } from '../../components/dialog/confirm-dialog'
import type { FileCategoriesState } from './use-file-categories'

/** Why a retailer with these settings sees no products; undefined when it may see some. */
function explainNoProducts(
  file: FileCategoriesState,
  { allProducts, categories }: VisibilitySettings,
): string | undefined {
  if (allProducts) return undefined
  if (file.kind === 'no-column') {
    return 'Your file has no category column, and further files without one are refused while a retailer is limited to categories.'
  }
  return categories.length === 0 ? 'No category is chosen.' : undefined
}

/**
 * Asks before settings are saved with which a retailer sees no products. Returns the function to
 * submit with, and the dialog to render.
 */
export function useNoProductsWarning<
  Values extends { visibilitySettings: VisibilitySettings | null },
>(
  file: FileCategoriesState,
  who: string,
  save: (values: Values) => void,
): { submit: (values: Values) => void; warning: ReactNode } {
  const [asked, setAsked] = useState<{ values: Values; reason: string }>()
  const [isOpen, setOpen] = useState(false)
  function submit(values: Values) {
    const { visibilitySettings } = values
    const reason = visibilitySettings && explainNoProducts(file, visibilitySettings)
    if (!reason) {
      save(values)
      return
    }
    setAsked({ values, reason })
    setOpen(true)
  }
  function confirm() {
    setOpen(false)
    if (asked) save(asked.values)
  }
  const warning = (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      onConfirm={confirm}
      isPending={false}
      title="No products will be visible"
      confirmLabel="Save anyway"
    >
      {asked?.reason} {who} will get the header line of your file and no products.
    </ConfirmDialog>
  )
  return { submit, warning }
}
