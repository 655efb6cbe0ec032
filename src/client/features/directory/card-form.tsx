import {
  Button,
  FileButton,
  Group,
  Input,
  MultiSelect,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { ReactNode } from 'react'

import { MAX_CARD_CATEGORIES, MAX_LOGO_BYTES, MAX_LOGO_SIZE } from '../../../shared/constants'
import type { Card } from '../../../shared/schemas/directory'
import { PageForm } from '../../components/form/page-form'
import { Columns } from '../../components/layout/columns'
import { Panel } from '../../components/layout/panel'
import { showError, showFailure, showSuccess } from '../../lib/toast'
import { useFieldErrors } from '../../lib/use-field-errors'
import { markSaved, useSavedForm } from '../../lib/use-saved-form'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'
import { CardFace } from './card-face'

import '@mantine/core/styles/PillsInput.css'
import '@mantine/core/styles/Pill.css'

const toValues = ({ isPublished, name, description, categories, logo }: Card) => ({
  isPublished,
  name,
  description,
  categories,
  logo,
})

/** The base64 of an address with its content; undefined for the logo that is stored. */
const toLogo = (logo: string | null, saved: string | null) =>
  logo === saved ? undefined : (logo?.split(',')[1] ?? null)

/** A supplier's card, beside what retailers see of it. */
export function CardForm({ card }: { card: Card }) {
  const form = useSavedForm(toValues(card), {
    validate: { name: (name: string) => (name.trim() === '' ? 'Name is required' : null) },
  })
  const { values } = form
  const mayChange = useMay('company')
  const utils = trpc.useUtils()
  const save = trpc.cards.save.useMutation({
    onSuccess: (saved) => {
      showSuccess(saved.isPublished ? 'Your card is published' : 'Card saved, and not published')
      utils.cards.get.setData(undefined, saved)
      markSaved(form, toValues(saved))
      form.reset()
    },
    onError: (error) => showFailure(error),
  })
  useFieldErrors(form, save.error)
  return (
    <Columns>
      <Panel title="Card" description="What retailers see who do not get your files yet">
        <PageForm
          form={form}
          label="Card"
          hasSaveAlways
          whoChanges={mayChange ? undefined : 'Owners of your company change this.'}
          isPending={save.isPending}
          onSubmit={({ logo, ...rest }) => {
            const changed = toLogo(logo, card.logo)
            save.mutate({ ...rest, ...(changed !== undefined && { logo: changed }) })
          }}
        >
          <Switch
            label="Published in the directory"
            description="Every retailer who is signed in can see the card, and ask for your files"
            {...form.getInputProps('isPublished', { type: 'checkbox' })}
          />
          <TextInput label="Name" {...form.getInputProps('name')} />
          <Textarea
            label="What you sell"
            description="Optional"
            rows={4}
            maxLength={600}
            {...form.getInputProps('description')}
          />
          <Categories value={values.categories} {...form.getInputProps('categories')} />
          <LogoField
            logo={values.logo}
            error={form.errors.logo}
            onChange={(logo) => form.setFieldValue('logo', logo)}
          />
        </PageForm>
      </Panel>
      <Stack gap="sm">
        <Text component="h2" fz="md" fw={650}>
          Preview
        </Text>
        <CardFace card={{ ...values, freshness: card.freshness }} />
        <Text fz="sm" c="dimmed">
          {card.isPublished ? 'This is published' : 'Nobody else sees this'}
          {form.isDirty() ? ', without what you have not saved.' : '.'} How fresh your data are is
          counted from your syncs on days that are over.
        </Text>
      </Stack>
    </Columns>
  )
}

/** Chosen from those of the published file. */
function Categories({ value, ...props }: { value: string[] }) {
  const connections = trpc.connections.list.useQuery()
  const id = connections.data?.[0]?.id
  const overview = trpc.categories.overview.useQuery({ id: id ?? 0 }, { enabled: id !== undefined })
  const nodes = overview.data && 'nodes' in overview.data ? overview.data.nodes : []
  const names = nodes.filter(({ level }) => level === 1).map(({ label }) => label)
  return (
    <MultiSelect
      label="Categories"
      description={`Of your published file, at most ${MAX_CARD_CATEGORIES}`}
      placeholder={value.length === 0 ? 'None' : ''}
      data={[...new Set([...value, ...names])]}
      maxValues={MAX_CARD_CATEGORIES}
      nothingFoundMessage="No such category"
      searchable
      value={value}
      {...props}
    />
  )
}

interface LogoFieldProps {
  logo: string | null
  error: ReactNode
  onChange: (logo: string | null) => void
}

function LogoField({ logo, error, onChange }: LogoFieldProps) {
  async function choose(file: File | null) {
    if (!file) return
    if (file.size > MAX_LOGO_BYTES) {
      showError(`The logo must have at most ${MAX_LOGO_BYTES / 1024} KB`)
      return
    }
    onChange(await readAsAddress(file))
  }
  return (
    <Input.Wrapper
      label="Logo"
      description={`PNG, JPEG or WebP, at most ${MAX_LOGO_BYTES / 1024} KB and ${MAX_LOGO_SIZE} pixels wide and high`}
      error={error}
      labelElement="div"
    >
      <Group gap="xs" mt={6}>
        <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => void choose(file)}>
          {(props) => (
            <Button variant="default" {...props}>
              {logo ? 'Choose another' : 'Choose a picture'}
            </Button>
          )}
        </FileButton>
        {logo && (
          <Button variant="default" onClick={() => onChange(null)}>
            Remove
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  )
}

async function readAsAddress(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const text = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('')
  return `data:${file.type};base64,${btoa(text)}`
}
