import { Input, Stack, Switch } from '@mantine/core'
import { useId, type ReactNode } from 'react'

import type { VisibilitySettings } from '../../../shared/schemas/retailer'
import { lazyPart } from '../../components/feedback/lazy-part'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { LoadError } from '../../components/feedback/message-state'
import { TextLink } from '../../components/layout/links'
import { ChosenCategories } from './chosen-categories'
import type { FileCategoriesState } from './use-file-categories'

import classes from './visibility-fields.module.css'

/** Most retailers see all products, and the tree is large. */
const CategoryPicker = lazyPart(async () => (await import('./category-picker')).CategoryPicker, {
  name: 'categories',
  height: 180,
})

interface VisibilityFieldsProps {
  file: FileCategoriesState
  value: VisibilitySettings
  onChange: (value: VisibilitySettings) => void
  error?: ReactNode
  /** The form's path of this field. */
  'data-path'?: string
}

/**
 * 'Show All Products', and the file's categories while it is off:
 * docs/rules.md#what-a-retailer-sees.
 */
export function VisibilityFields({ file, value, onChange, ...field }: VisibilityFieldsProps) {
  const [reasonId, errorId] = [useId(), useId()]
  const isWithoutColumn = file.kind === 'no-column'
  // Without a category column it cannot be turned off; one that was saved as off can be turned on.
  const isFixed = value.allProducts && (isWithoutColumn || file.kind === 'loading')
  return (
    <Stack
      component="fieldset"
      gap="md"
      className={classes.fields}
      aria-label="Visibility"
      aria-describedby={field.error ? errorId : undefined}
      tabIndex={-1}
      data-path={field['data-path']}
    >
      <Switch
        label="Show All Products"
        description="Allow access to all products in your inventory"
        checked={value.allProducts}
        disabled={isFixed}
        classNames={{ track: classes.track }}
        aria-describedby={isWithoutColumn ? reasonId : undefined}
        onChange={(event) => onChange({ ...value, allProducts: event.currentTarget.checked })}
      />
      {isWithoutColumn && <NoColumnReason id={reasonId} isOn={value.allProducts} />}
      {!value.allProducts && (
        <Categories
          file={file}
          categories={value.categories}
          onChange={(categories) => onChange({ ...value, categories })}
        />
      )}
      {field.error && <Input.Error id={errorId}>{field.error}</Input.Error>}
    </Stack>
  )
}

function NoColumnReason({ id, isOn }: { id: string; isOn: boolean }) {
  return (
    <p id={id} className={classes.reason} data-tone={isOn ? undefined : 'warn'}>
      {isOn
        ? 'This stays on because your file has no category column to filter by. '
        : 'Your file has no category column, so this retailer gets the header only. '}
      Choose one in the preview of your connection, on{' '}
      <TextLink inherit to="/supplier/connections">
        Connections
      </TextLink>
      .
    </p>
  )
}

interface CategoriesProps {
  file: FileCategoriesState
  categories: string[]
  onChange: (categories: string[]) => void
}

function Categories({ file, categories, onChange }: CategoriesProps) {
  switch (file.kind) {
    case 'loading':
      return <LoadingBlock height={180} label="Loading the categories" />
    case 'error':
      return (
        <div className={classes.frame}>
          <LoadError isCompact title="The categories could not be loaded" query={file.query} />
        </div>
      )
    case 'ready':
      return (
        <CategoryPicker
          // A new file has a new tree.
          key={file.file.fileName}
          file={file.file}
          categories={categories}
          onChange={onChange}
        />
      )
    case 'no-file':
      return (
        <>
          <p className={classes.reason}>
            {file.message}. Categories can be chosen here once a file has been published
            {categories.length > 0 && '; the earlier choice is kept'}.
          </p>
          <ChosenCategories title="Chosen categories" categories={categories} onChange={onChange} />
        </>
      )
    case 'no-column':
      return (
        <ChosenCategories
          title="Chosen categories, kept for a file with a category column"
          categories={categories}
          onChange={onChange}
        />
      )
  }
}
