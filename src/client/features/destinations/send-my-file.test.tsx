import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'

import type {
  Destination,
  DestinationList,
  DestinationTrial,
} from '../../../shared/schemas/destination'
import { shopFormatSchema } from '../../../shared/schemas/shop-format'
import { Toaster } from '../../components/feedback/toaster'
import {
  dispatchPage,
  sampleDestination,
  sampleDestinations,
  sampleDispatch,
} from '../../testing/destination-answers'
import { Refusal, renderWithAnswers, type Answers } from '../../testing/render-app'
import { clickButton, confirm } from '../../testing/secret-link-answers'
import { SendMyFile } from './send-my-file'

const KEY = 'ssh-ed25519 SHA256:rr7HuT6xXHC9o5RQOQezH2FzoodRwfSOF4ox/+uMXDM'
const WORKS: DestinationTrial = { isOk: true, text: 'Written and taken away again.' }

function open(list: DestinationList, answers: Answers = {}) {
  const calls: [string, never][] = []
  const note = (name: string, answer: unknown) => (input: never) => {
    calls.push([name, input])
    return answer
  }
  renderWithAnswers(
    <>
      <SendMyFile file={1} supplierName="Northbeck" viewedBy="retailer" />
      <Toaster />
    </>,
    {
      'destinations.list': () => list,
      'destinations.listDispatches': () => dispatchPage([]),
      'destinations.create': note('create', list),
      'destinations.update': note('update', list),
      'destinations.delete': note('delete', list),
      'destinations.sendNow': note('sendNow', list),
      'destinations.changeTimeZone': note('zone', list),
      'destinations.test': note('test', WORKS),
      'destinations.testNew': note('testNew', WORKS),
      'profiles.get': () => ({ profile: shopFormatSchema.parse({}), columns: [], problems: null }),
      ...answers,
    },
  )
  return calls
}

const row = async (name = 'ERP') => {
  const items = within(await screen.findByRole('list', { name: 'Destinations' })).getAllByRole(
    'listitem',
  )
  return items.find((item) => item.textContent?.includes(name))!
}
const menu = async (item: string) => {
  await clickButton('Actions for ERP')
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
}
const dialog = () => screen.findByRole('dialog')
const field = async (label: string) => within(await dialog()).findByLabelText(label)
async function fill(label: string, text: string) {
  const input = await field(label)
  await userEvent.clear(input)
  await userEvent.type(input, text.replaceAll('{', '{{'))
}

describe('a retailer without a destination', () => {
  it('is offered one in one line', async () => {
    open(sampleDestinations([]))
    expect(await screen.findByText('Your system cannot fetch?')).toBeDefined()
    expect(screen.queryByText('Deliveries')).toBeNull()
    expect(screen.getByRole('button', { name: 'Add destination' })).toBeDefined()
  })

  it('can load the list again when that has failed', async () => {
    let fails = true
    open(sampleDestinations([]), {
      'destinations.list': () => {
        if (fails) throw new Refusal(500, 'No')
        return sampleDestinations([])
      },
    })
    await screen.findByText('The destinations could not be loaded')
    fails = false
    await clickButton('Try Again')
    expect(await screen.findByText('Your system cannot fetch?')).toBeDefined()
  })
})

describe('a destination in the list', () => {
  it.each<[string, Partial<Destination>, RegExp]>([
    ['was sent to', {}, /Sent 1,204 rows\d+ minutes ago/],
    ['is sent to', { state: 'sending' }, /Sending/],
    ['is tried again', { state: 'retrying', reason: 'Refused.' }, /Retrying.*Refused\./],
    ['is paused', { state: 'paused', reason: 'No such folder.' }, /Paused.*No such folder\./],
    ['is off', { state: 'off', isActive: false }, /Off/],
    ['is new', { state: 'new', sentAt: null, sentRows: null }, /Nothing sent yet/],
  ])('%s', async (_, changes, text) => {
    open(sampleDestinations([{ ...sampleDestination, ...changes }]))
    expect((await row()).textContent).toMatch(text)
  })

  it('says where, when and as what it gets the file', async () => {
    const times = ['06:00', '18:00']
    open(sampleDestinations([{ ...sampleDestination, times }], { timeZone: 'Europe/Berlin' }))
    const { textContent } = await row()
    expect(textContent).toContain('sftp://erp.example/in/')
    expect(textContent).toContain('Daily at 06:00, 18:00, Europe/Berlin · inventory.csv')
  })

  it('names people, and who of them gets nothing', async () => {
    const mail = { ...sampleDestination, kind: 'mail', config: null, recipients: [11, 12] } as const
    open(sampleDestinations([{ ...mail, recipients: [...mail.recipients] }]))
    const { textContent } = await row()
    expect(textContent).toContain('E-mail to ann, bob')
    expect(textContent).toContain('bob has no confirmed address, and gets nothing.')
  })

  it('is tried again at once when it is paused', async () => {
    const calls = open(sampleDestinations([{ ...sampleDestination, state: 'paused' }]))
    await clickButton('Try now: ERP')
    expect(calls).toEqual([['sendNow', { id: 1, destinationId: 7 }]])
    expect(await screen.findByText('The newest file is being sent')).toBeDefined()
  })

  it('is switched off, and deleted after a question that says what stops', async () => {
    const calls = open(sampleDestinations([sampleDestination]))
    await row()
    await menu('Switch off')
    await menu('Delete')
    expect((await dialog()).textContent).toContain('Nothing more is sent to ERP')
    await confirm('Delete')
    expect(calls).toEqual([
      ['update', { id: 1, destinationId: 7, isActive: false }],
      ['delete', { id: 1, destinationId: 7 }],
    ])
  })

  it('is tested, and its key is confirmed', async () => {
    const answers: DestinationTrial[] = [{ isOk: false, text: 'Unknown key', hostKey: KEY }, WORKS]
    const calls = open(sampleDestinations([sampleDestination]), {
      'destinations.test': () => answers.shift(),
    })
    await row()
    await menu('Test')
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm this key' }))
    expect(await screen.findByText('It works')).toBeDefined()
    expect(calls).toMatchObject([['update', { config: { transfer: { hostKeys: [KEY] } } }]])
  })
})

describe('the dialog of a destination', () => {
  it('asks first how the file is sent, then what that needs', async () => {
    open(sampleDestinations([]))
    await clickButton('Add destination')
    expect(screen.queryByLabelText('Address')).toBeNull()
    await confirm('Add destination')
    expect(await screen.findByText('Choose how the file is sent')).toBeDefined()
    await userEvent.click(await field('SFTP'))
    expect(((await field('Address')) as HTMLInputElement).value).toBe('sftp://')
    expect(await field('Server Keys')).toBeDefined()
    await userEvent.click(await field('Web address'))
    expect(await field('Method')).toBeDefined()
    await userEvent.click(await field('E-mail'))
    expect(await field('bob')).toHaveProperty('disabled', true)
    expect((await dialog()).textContent).toContain('Each person enters and confirms the own one')
  })

  it('keeps what was typed for a way while another one is looked at', async () => {
    open(sampleDestinations([]))
    await clickButton('Add destination')
    await userEvent.click(await field('S3 bucket'))
    await fill('Address', 's3://stock/in/')
    await userEvent.click(await field('SFTP'))
    await userEvent.click(await field('S3 bucket'))
    expect(((await field('Address')) as HTMLInputElement).value).toBe('s3://stock/in/')
  })

  it('tries what is entered, and adds it with its times in the time zone', async () => {
    const calls = open(sampleDestinations([], { timeZone: 'Asia/Tokyo' }))
    await clickButton('Add destination')
    await userEvent.click(await field('Web address'))
    await fill('Address', 'erp.example/in/')
    await fill('File name', '{supplier}.csv')
    expect((await dialog()).textContent).toContain('For example Northbeck.csv')
    await userEvent.selectOptions(await field('When'), 'At set times')
    await clickButton('Add a time')
    await clickButton('Test')
    expect(await screen.findByText('It works')).toBeDefined()
    await confirm('Add destination')
    await waitFor(() => expect(calls).toHaveLength(2))
    const settings = {
      id: 1,
      name: 'erp.example',
      config: { url: 'https://erp.example/in/', auth: { type: 'none' } },
      method: 'PUT',
      fileName: '{supplier}.csv',
      profile: null,
      times: ['06:00', '12:00'],
      onlyIfChanged: true,
    }
    expect(calls).toEqual([
      ['testNew', settings],
      ['create', settings],
    ])
  })

  it('changes the time zone first when another one is chosen', async () => {
    const calls = open(sampleDestinations([{ ...sampleDestination, times: ['06:00'] }]))
    await row()
    await menu('Edit')
    const zone = within(await dialog()).getByRole('combobox', { name: 'Time zone' })
    await userEvent.clear(zone)
    await userEvent.type(zone, 'Tokyo')
    await userEvent.click(await screen.findByRole('option', { name: 'Asia/Tokyo' }))
    await clickButton('Save')
    await waitFor(() => expect(calls.map(([name]) => name)).toEqual(['zone', 'update']))
    expect(calls[0]?.[1]).toEqual({ id: 1, timeZone: 'Asia/Tokyo' })
  })

  it('shows what the server says at its field, and loses nothing', async () => {
    open(sampleDestinations([]), {
      'destinations.create': () => {
        throw new Refusal(400, 'Wrong', { 'config.url': 'This address is private' })
      },
    })
    await clickButton('Add destination')
    await userEvent.click(await field('Web address'))
    await fill('Address', 'https://erp.example/in/')
    await fill('Name (optional)', 'ERP')
    await confirm('Add destination')
    expect(await screen.findByText('This address is private')).toBeDefined()
    expect(((await field('Name (optional)')) as HTMLInputElement).value).toBe('ERP')
  })

  it('tries a changed destination with the secrets that are saved', async () => {
    const calls = open(sampleDestinations([sampleDestination]))
    await row()
    await menu('Edit')
    await clickButton('Test')
    await screen.findByText('It works')
    expect(calls).toMatchObject([
      ['testNew', { id: 1, destinationId: 7, config: { auth: { password: '••••••' } } }],
    ])
  })
})

describe('the deliveries', () => {
  it('are a table, with marks for what may have arrived before', async () => {
    open(sampleDestinations([sampleDestination]), {
      'destinations.listDispatches': () =>
        dispatchPage([
          sampleDispatch,
          { ...sampleDispatch, id: 2, status: 'failed', isRepeat: true, destinationId: null },
          { ...sampleDispatch, id: 3, status: 'skipped', answer: 'A newer file took its place' },
        ]),
    })
    const table = await screen.findByRole('table', { name: 'Deliveries' })
    await within(table).findByText('Failed')
    const texts = within(table)
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent ?? '')
    expect(texts[0]).toMatch(/inventory\.csv.*Sent/)
    expect(texts[1]).toMatch(/Failed.*Sent again: may have arrived before/)
    expect(texts[2]).toMatch(/Skipped.*A newer file took its place/)
  })

  it('say that there are none yet', async () => {
    open(sampleDestinations([sampleDestination]))
    expect(await screen.findByText('Nothing was sent yet')).toBeDefined()
  })

  it('stay when the last destination is gone', async () => {
    open(sampleDestinations([], { hasDispatches: true }), {
      'destinations.listDispatches': () =>
        dispatchPage([{ ...sampleDispatch, destinationId: null }]),
    })
    expect(await screen.findByText('Your system cannot fetch?')).toBeDefined()
    expect(await screen.findByText('ERP, deleted')).toBeDefined()
  })

  it('can be chosen by their result, with a way back where there are none', async () => {
    open(sampleDestinations([sampleDestination]), {
      'destinations.listDispatches': ({ status }: { status?: string }) =>
        dispatchPage(status === 'failed' ? [] : [sampleDispatch]),
    })
    await userEvent.selectOptions(await screen.findByLabelText('Result'), 'Failed')
    expect(await screen.findByText('No such delivery')).toBeDefined()
    await clickButton('Show all')
    expect(await screen.findByText('Written as inventory.csv')).toBeDefined()
  })
})
