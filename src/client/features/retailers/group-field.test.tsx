import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'

import { SignedInUserContext } from '../../session/current-user'
import { renderWithAnswers, supplierUser, type Answers } from '../../testing/render-app'
import { sampleRetailer } from '../../testing/sample-records'
import { AddRetailerDialog } from './add-retailer-dialog'
import { InviteRetailerDialog } from './invite-retailer-dialog'

const trade = { id: 7, name: 'Trade', isForNewcomers: false, memberCount: 0 }

function open(groups: unknown[], dialog: ReactNode, answers: Answers = {}) {
  const sent: unknown[] = []
  const note = (answer: unknown) => (input: unknown) => {
    sent.push(input)
    return answer
  }
  renderWithAnswers(<SignedInUserContext value={supplierUser}>{dialog}</SignedInUserContext>, {
    'groups.list': () => groups,
    'app.info': () => ({ publicUrl: 'https://stock.example' }),
    'session.register': () => supplierUser,
    'retailers.create': note(sampleRetailer),
    'invitations.inviteRetailer': note({
      invitation: { name: 'Corner Shop', email: null },
      path: '/a',
    }),
    'connections.list': () => [],
    ...answers,
  })
  return sent
}
const props = { isOpen: true, onClose: () => undefined }
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const choose = async (name: string) =>
  userEvent.selectOptions(await screen.findByLabelText('Group'), name)

async function fillInRetailer() {
  for (const [label, text] of [
    ['Username', 'corner'],
    ['Email', 'corner@shop.example'],
    ['Password', 'correct horse battery'],
    ['Store Name', 'Corner Shop'],
  ] as const) {
    await userEvent.click(await screen.findByLabelText(label))
    await userEvent.paste(text)
  }
}

describe('a new retailer', () => {
  it('is added to a group that was chosen', async () => {
    const sent = open([trade], <AddRetailerDialog {...props} />)
    await fillInRetailer()
    await choose('Trade')
    await press('Create Retailer')
    await waitFor(() => expect(sent).toMatchObject([{ storeName: 'Corner Shop', groupId: 7 }]))
  })

  it('is asked nothing of groups while there are none', async () => {
    const sent = open([], <AddRetailerDialog {...props} />)
    await fillInRetailer()
    expect(screen.queryByLabelText('Group')).toBeNull()
    await press('Create Retailer')
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).not.toHaveProperty('groupId')
  })

  it('is invited into a group, which says what it gets', async () => {
    const sent = open([trade], <InviteRetailerDialog hasMail={false} {...props} />)
    await userEvent.click(await screen.findByLabelText('Store Name'))
    await userEvent.paste('Corner Shop')
    expect(screen.getAllByLabelText('Format of its file')).not.toEqual([])
    await choose('Trade')
    expect(screen.queryByLabelText('Format of its file')).toBeNull()
    await press('Create link')
    await waitFor(() =>
      expect(sent).toEqual([{ storeName: 'Corner Shop', email: null, groupId: 7 }]),
    )
  })
})
