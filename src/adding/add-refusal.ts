/** Why a command does nothing, in lines for whoever called it. */
export class AddRefusal extends Error {}
