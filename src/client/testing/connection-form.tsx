import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'

import type { Connection, ConnectionFormValues } from '../../shared/schemas/connection'
import { FormDialog } from '../components/dialog/form-dialog'
import { ConnectionForm } from '../features/connections/connection-form'
import { renderInTheme } from './render'

/** The form of a connection in its dialog, with what it sent and what else was asked for. */
export function renderConnectionForm(connection: Connection | null = null) {
  const sent: ConnectionFormValues[] = []
  const asked: ('preview' | 'send' | 'sample')[] = []
  renderInTheme(
    <FormDialog isOpen title="A connection" onClose={() => {}}>
      <ConnectionForm
        connection={connection}
        isPending={false}
        isPreviewOpen={false}
        preview={{ open: () => asked.push('preview'), close: () => {} }}
        error={null}
        onSendInstead={() => asked.push('send')}
        onTrySample={() => asked.push('sample')}
        onSubmit={(submission) => sent.push(submission)}
      />
    </FormDialog>,
  )
  /** Sends the form, and returns what was sent last: undefined while it sends nothing. */
  async function save(): Promise<ConnectionFormValues | undefined> {
    const name = connection ? 'Update Connection' : 'Create Connection'
    await userEvent.click(screen.getByRole('button', { name }))
    return sent.at(-1)
  }
  return { sent, asked, save }
}
