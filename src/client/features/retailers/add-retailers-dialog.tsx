import { useEffect, useState } from 'react'

import { formatCountOf } from '../../../shared/format'
import { FormDialog } from '../../components/dialog/form-dialog'
import type { DialogProps } from '../../components/dialog/lazy-dialog'
import { useReportChanges } from '../../lib/dialog-form'
import { errorMessage } from '../../lib/error-message'
import { showFailure, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { AddedRetailers } from './added-retailers'
import { GroupField } from './group-field'
import { RetailerListInput } from './retailer-list-input'
import { RetailerListPreview } from './retailer-list-preview'
import { useCheckRetailers, type CheckedList } from './use-retailer-list'

/** Adds many retailers from a pasted list or a file: the list, its preview, then the new logins. */
export function AddRetailersDialog({ isOpen, onClose }: DialogProps) {
  const [hasPasswords, setPasswords] = useState(false)
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      size={960}
      title="Add several retailers"
      // A stray click or key must not close passwords that are shown only once.
      closeOnClickOutside={!hasPasswords}
      closeOnEscape={!hasPasswords}
    >
      <Steps onClose={onClose} onPasswords={setPasswords} />
    </FormDialog>
  )
}

interface StepsProps {
  onClose: () => void
  onPasswords: (areShown: boolean) => void
}

function Steps({ onClose, onPasswords }: StepsProps) {
  const utils = trpc.useUtils()
  const [text, setText] = useState('')
  const [list, setList] = useState<CheckedList>()
  const [groupId, setGroupId] = useState<number | null>(null)
  const check = useCheckRetailers()
  const add = trpc.suppliers.addRetailers.useMutation({
    onSuccess: (_result, { retailers }) => {
      showSuccess(`${formatCountOf(retailers.length, 'retailer')} added successfully`)
      void utils.retailers.invalidate()
      void utils.groups.invalidate()
    },
    onError: (error) => showFailure(error),
  })
  useReportChanges(text !== '' && !add.isSuccess)
  useEffect(() => {
    onPasswords(add.isSuccess)
    return () => onPasswords(false)
  }, [onPasswords, add.isSuccess])
  if (list && add.isSuccess) return <AddedRetailers logins={list.retailers} onClose={onClose} />
  if (list) {
    return (
      <RetailerListPreview
        list={list}
        isInGroup={groupId !== null}
        isPending={add.isPending}
        onBack={() => setList(undefined)}
        onAdd={() =>
          add.mutate({ retailers: list.retailers, ...(groupId !== null && { groupId }) })
        }
      />
    )
  }
  return (
    <RetailerListInput
      text={text}
      error={check.error && errorMessage(check.error)}
      isPending={check.isPending}
      onChange={setText}
      onCheck={() => check.mutate(text, { onSuccess: setList })}
    >
      <GroupField
        groupId={groupId}
        description="They have all that the group has, besides what the list says of one."
        onChange={setGroupId}
      />
    </RetailerListInput>
  )
}
