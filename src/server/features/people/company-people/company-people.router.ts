import { messageSchema } from '../../../../shared/schemas/file'
import {
  listPeopleInput,
  personActiveInput,
  personInput,
  personRoleInput,
  personSchema,
} from '../../../../shared/schemas/person'
import { router, signedInProcedure } from '../../../trpc/init'
import { turnOffForPerson } from '../second-factor/turn-off-for-person'
import { listPeople, removePerson, setPersonActive, setPersonRole } from './company-people'

const ownerProcedure = signedInProcedure.meta({ area: 'company' })

/** The people of a company: of the caller's, or of the one that an administrator names. */
export const companyPeopleRouter = router({
  list: signedInProcedure
    .input(listPeopleInput)
    .output(personSchema.array())
    .query(({ ctx, input }) => listPeople(ctx.deps, ctx.actor, input.companyId)),

  setRole: ownerProcedure
    .input(personRoleInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await setPersonRole(ctx.deps, ctx.actor, input)
      return { message: 'Role changed' }
    }),

  setActive: ownerProcedure
    .input(personActiveInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await setPersonActive(ctx.deps, ctx.actor, input)
      return { message: input.isActive ? 'Access given' : 'Access taken away' }
    }),

  remove: ownerProcedure
    .input(personInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await removePerson(ctx.deps, ctx.actor, input)
      return { message: 'Person removed' }
    }),

  turnOffSecondFactor: ownerProcedure
    .input(personInput)
    .output(messageSchema)
    .mutation(async ({ ctx, input }) => {
      await turnOffForPerson(ctx.deps, ctx.actor, input)
      return { message: 'Second factor turned off' }
    }),
})
