import { Modal } from '@mantine/core'
import { useState } from 'react'

import { formatCountOf } from '../../../shared/format'
import { errorMessage } from '../../lib/error-message'
import { showError, showSuccess } from '../../lib/toast'
import { trpc } from '../../trpc'
import { AddedRetailers } from './added-retailers'
import { RetailerListInput } from './retailer-list-input'
import { RetailerListPreview } from './retailer-list-preview'
import { useCheckRetailers, type CheckedList } from './use-retailer-list'

interface AddRetailersDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** Adds many retailers from a pasted list or a file: the list, its preview, then the new logins. */
export function AddRetailersDialog({ isOpen, onClose }: AddRetailersDialogProps) {
  const [isKept, setKept] = useState(false)
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size={960}
      title="Add several retailers"
      // A stray click must not throw away passwords that are shown only once.
      closeOnClickOutside={!isKept}
      closeOnEscape={!isKept}
      onExitTransitionEnd={() => setKept(false)}
    >
      <Steps onClose={onClose} onAdded={() => setKept(true)} />
    </Modal>
  )
}

function Steps({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const utils = trpc.useUtils()
  const [text, setText] = useState('')
  const [list, setList] = useState<CheckedList>()
  const check = useCheckRetailers()
  const add = trpc.suppliers.addRetailers.useMutation({
    onSuccess: (_result, { retailers }) => {
      showSuccess(`${formatCountOf(retailers.length, 'retailer')} added successfully`)
      onAdded()
      void utils.retailers.invalidate()
    },
    onError: (error) => showError(errorMessage(error)),
  })
  if (list && add.isSuccess) return <AddedRetailers logins={list.retailers} onClose={onClose} />
  if (list) {
    return (
      <RetailerListPreview
        list={list}
        isPending={add.isPending}
        onBack={() => setList(undefined)}
        onAdd={() => add.mutate({ retailers: list.retailers })}
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
      onCancel={onClose}
    />
  )
}
