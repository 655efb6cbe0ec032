import { TextInput } from '@mantine/core'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
  useNavigate,
} from '@tanstack/react-router'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'

import { markSaved, useSavedForm } from '../../lib/use-saved-form'
import { renderInTheme } from '../../testing/render'
import { PageForm } from './page-form'

function EditPage() {
  const [saved, setSaved] = useState({ name: 'Acme' })
  const form = useSavedForm(saved)
  return (
    <>
      <PageForm
        form={form}
        label="Company"
        isPending={false}
        onSubmit={(values) => markSaved(form, values)}
      >
        <TextInput label="Name" {...form.getInputProps('name')} />
      </PageForm>
      <button type="button" onClick={() => setSaved({ name: 'Renamed elsewhere' })}>
        Fetch again
      </button>
    </>
  )
}

function Frame() {
  const navigate = useNavigate()
  return (
    <>
      <button type="button" onClick={() => void navigate({ to: '/other' as never })}>
        Leave
      </button>
      <button
        type="button"
        onClick={() => void navigate({ to: '/other' as never, ignoreBlocker: true })}
      >
        Sign out
      </button>
      <button
        type="button"
        onClick={() => void navigate({ to: '.', search: { page: 2 } as never })}
      >
        Next page
      </button>
      <Outlet />
    </>
  )
}

async function openPage() {
  const root = createRootRoute({ component: Frame })
  const at = (path: string, component: () => React.ReactNode) =>
    createRoute({ getParentRoute: () => root, path, component })
  const router = createRouter({
    routeTree: root.addChildren([at('/', EditPage), at('/other', () => <p>Another page</p>)]),
    history: createMemoryHistory(),
  })
  renderInTheme(<RouterProvider router={router as never} />)
  await screen.findByLabelText('Name')
  return router
}

const press = (name: string) => userEvent.click(screen.getByText(name))
const nameField = () => screen.getByLabelText('Name')
const bar = () => screen.queryByText('Unsaved changes')
const question = () => screen.queryByText('Discard your changes?')
/** The bar's button comes before that of the question. */
const discardInQuestion = () => userEvent.click(screen.getAllByText('Discard').at(-1)!)

describe('a form on a page', () => {
  it('shows its bar only while it has changes', async () => {
    await openPage()
    expect(bar()).toBeNull()
    await userEvent.type(nameField(), '!')
    expect(bar()).not.toBeNull()
    await userEvent.type(nameField(), '{Backspace}')
    expect(bar()).toBeNull()
  })

  it('returns to the saved values on Discard, also after it was saved', async () => {
    await openPage()
    await userEvent.type(nameField(), ' Tools')
    await press('Save')
    expect(bar()).toBeNull()
    await userEvent.type(nameField(), '!')
    await press('Discard')
    expect(nameField()).toHaveProperty('value', 'Acme Tools')
    expect(bar()).toBeNull()
  })

  it('asks before another page opens, and stays or leaves', async () => {
    const router = await openPage()
    await userEvent.type(nameField(), '!')
    await press('Leave')
    await waitFor(() => expect(question()).not.toBeNull())
    await press('Keep editing')
    await waitFor(() => expect(question()).toBeNull())
    expect(nameField()).toHaveProperty('value', 'Acme!')
    await press('Leave')
    await waitFor(() => expect(question()).not.toBeNull())
    await discardInQuestion()
    expect(await screen.findByText('Another page')).toBeDefined()
    expect(router.state.location.pathname).toBe('/other')
  })

  it.each([
    ['nothing has changed', async () => undefined, 'Leave'],
    ['the changes are saved', async () => press('Save'), 'Leave'],
    ['the session ends', async () => undefined, 'Sign out'],
  ])('does not ask when %s', async (name, prepare, exit) => {
    await openPage()
    if (name !== 'nothing has changed') await userEvent.type(nameField(), '!')
    await prepare()
    await press(exit)
    expect(await screen.findByText('Another page')).toBeDefined()
    expect(question()).toBeNull()
  })

  it('does not ask when only the search of its address changes', async () => {
    const router = await openPage()
    await userEvent.type(nameField(), '!')
    await press('Next page')
    await waitFor(() => expect(router.state.location.search).toEqual({ page: 2 }))
    expect(question()).toBeNull()
    expect(nameField()).toHaveProperty('value', 'Acme!')
  })

  it('takes newer saved values, unless it has changes', async () => {
    await openPage()
    await userEvent.type(nameField(), '!')
    await press('Fetch again')
    expect(nameField()).toHaveProperty('value', 'Acme!')
    await press('Discard')
    expect(nameField()).toHaveProperty('value', 'Renamed elsewhere')
  })
})
