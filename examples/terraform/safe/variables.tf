variable "region" {
  type    = string
  default = "eu-central-1"
}

variable "cluster_name" {
  type    = string
  default = "platform"
}

variable "subnet_ids" {
  type    = list(string)
  default = ["subnet-0a1b2c3d4e5f60718", "subnet-0a1b2c3d4e5f60719"]
}

variable "hop_limit" {
  description = "How many network hops instance metadata may take."
  type        = number
  # A pod with a network namespace of its own is one hop further away than its node.
  default = 2
}

variable "golden_ami" {
  description = "An AMI of our own, built on Amazon Linux 2023."
  type        = string
  default     = "ami-0123456789abcdef0"
}
