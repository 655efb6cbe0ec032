import { Select, Stack } from '@mantine/core'
import { schemaResolver } from '@mantine/form'
import { IconCheck } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState } from 'react'

import { formatCountOf } from '../../../shared/format'
import {
  chosenShopFormatSchema,
  type ShopFormat,
  type ShopFormatChoice,
} from '../../../shared/schemas/shop-format'
import { LoadingBlock } from '../../components/feedback/loading-block'
import { LoadError, type FailedQuery } from '../../components/feedback/message-state'
import { PendingButton } from '../../components/feedback/pending-button'
import { ProblemList } from '../../components/feedback/problem-list'
import { FixedFields } from '../../components/form/fixed-fields'
import { LeaveQuestion } from '../../components/form/leave-question'
import { ShopFormatFields } from '../../components/form/shop-format-fields'
import { ValidatedForm } from '../../components/form/validated-form'
import { Panel } from '../../components/layout/panel'
import { SHOP_FORMAT_LABELS, shopFormatOptions } from '../../lib/shop-format-labels'
import type { Shop } from '../../lib/shop-view'
import { showFailure, showSuccess } from '../../lib/toast'
import { useSavedForm } from '../../lib/use-saved-form'
import { useMay } from '../../session/may'
import { trpc } from '../../trpc'
import { ShopFormatPreview } from './format-preview'
import type { ShopViewer } from './shop-viewer'
import { proposeFormat } from './shops'

import classes from './shop-format.module.css'

interface FormatStepProps {
  retailerId: number
  viewer: ShopViewer
  /** The shop that the format is for; undefined before one is chosen. */
  shop: Shop | undefined
  query: FailedQuery & { isError: boolean; data?: ShopFormatChoice | undefined }
}

/** The form in which a shop gets its file, with its first rows as the shop will get them. */
export function FormatStep({ retailerId, viewer, shop, query }: FormatStepProps) {
  const { drafts, keep, clear } = useDrafts()
  return (
    <Panel title="Shop format" description={viewer.ofFormat}>
      {query.isError ? (
        <LoadError isCompact title="The format could not be loaded" query={query} />
      ) : query.data ? (
        <FormatForm
          key={shop}
          retailerId={retailerId}
          whoChooses={viewer.whoChooses}
          choice={query.data}
          shop={shop}
          draft={drafts.get(shop)}
          draftBefore={shop && drafts.get(undefined)}
          onDraft={keep}
          onSaved={clear}
        />
      ) : (
        <LoadingBlock height={480} label="Loading the format" />
      )}
      <LeaveQuestion hasChanges={drafts.size > 0} />
    </Panel>
  )
}

/** What has been chosen and typed for each shop, and is not saved. */
function useDrafts() {
  const [drafts, setDrafts] = useState<ReadonlyMap<Shop | undefined, ShopFormat>>(new Map())
  const keep = useCallback(
    (shop: Shop | undefined, draft: ShopFormat | undefined) =>
      setDrafts((before) => {
        if (before.get(shop) === draft) return before
        const others = [...before].filter(([of]) => of !== shop)
        return new Map(draft ? [...others, [shop, draft]] : others)
      }),
    [],
  )
  return { drafts, keep, clear: () => setDrafts(new Map()) }
}

interface FormatFormProps extends Pick<FormatStepProps, 'retailerId' | 'shop'> {
  whoChooses: string
  choice: ShopFormatChoice
  /** What it begins with. */
  draft: ShopFormat | undefined
  /** What was chosen and typed before any shop was. */
  draftBefore: ShopFormat | undefined
  onDraft: (shop: Shop | undefined, draft: ShopFormat | undefined) => void
  onSaved: () => void
}

/** With the options as the form has them, so that both can be compared. */
const toFormValues = (profile: ShopFormat): ShopFormat => ({
  ...profile,
  guardsFormulas: profile.guardsFormulas ?? true,
  hasRestock: profile.hasRestock ?? false,
})

function FormatForm({ retailerId, whoChooses, choice, shop, ...props }: FormatFormProps) {
  const { draft, draftBefore, onDraft, onSaved } = props
  const utils = trpc.useUtils()
  const stored = toFormValues(choice.profile)
  const mayChoose = useMay('addresses')
  const form = useSavedForm<ShopFormat>(
    mayChoose ? proposeFormat(draftBefore ?? stored, shop) : stored,
    { validate: schemaResolver(chosenShopFormatSchema, { sync: true }) },
    draft,
  )
  const save = trpc.profiles.save.useMutation({
    async onSuccess() {
      showSuccess('Shop format saved')
      onSaved()
      void utils.retailers.invalidate()
      await utils.profiles.get.invalidate({ id: retailerId })
    },
    onError: (error) => showFailure(error, 'The format could not be saved'),
  })
  const { kind } = form.values
  const isStored = isSame(form.values, stored)
  const isDraft = !isStored && form.isDirty()
  useEffect(
    () => onDraft(shop, isDraft ? form.values : undefined),
    [onDraft, shop, isDraft, form.values],
  )
  return (
    <ValidatedForm
      form={form}
      label="Shop format"
      onSubmit={(profile) => save.mutate({ id: retailerId, profile })}
    >
      <Stack gap="lg">
        <FixedFields whoChanges={mayChoose ? undefined : whoChooses}>
          <Stack gap="lg">
            <Select
              label="Format"
              description={SHOP_FORMAT_LABELS[kind].description}
              allowDeselect={false}
              maxDropdownHeight={320}
              data={shopFormatOptions}
              {...form.getInputProps('kind')}
            />
            <ShopFormatFields form={form} columns={choice.columns} />
          </Stack>
        </FixedFields>
        <ShopFormatPreview retailerId={retailerId} profile={form.values} />
        {isStored ? (
          <Stored choice={choice} isSaved={save.isSuccess} />
        ) : (
          <div className={classes.actions}>
            <PendingButton type="submit" isPending={save.isPending}>
              Use this format
            </PendingButton>
            <span className={classes.note}>
              Until then the file stays as now: {SHOP_FORMAT_LABELS[stored.kind].label}
            </span>
          </div>
        )}
      </Stack>
    </ValidatedForm>
  )
}

const isSame = (one: ShopFormat, other: ShopFormat) =>
  Object.entries(one).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(other[name as keyof ShopFormat]),
  )

interface StoredProps {
  choice: ShopFormatChoice
  /** Whether it has just been saved: the focus was on the button that this replaces. */
  isSaved: boolean
}

function Stored({ choice: { problems }, isSaved }: StoredProps) {
  const ref = useRef<HTMLOutputElement>(null)
  useEffect(() => {
    if (isSaved) ref.current?.focus({ preventScroll: true })
  }, [isSaved])
  return (
    <Stack gap="md">
      <output ref={ref} tabIndex={-1} className={classes.stored}>
        <IconCheck size={16} stroke={2.5} aria-hidden="true" />
        The file has this format
      </output>
      {problems && problems.length > 0 && (
        <ProblemList
          title={`${formatCountOf(problems.length, 'note')} on the file`}
          problems={problems}
        />
      )}
    </Stack>
  )
}
