/*
 * The names of the variables that popular modules have, and of the keys that they read in objects, by major version: what any release of the
 * major version knows. Sources, read from the tags v18.0.0 to v21.19.0, v4.12.0 to v6.5.0 and v1.0.0 to v2.8.1:
 * terraform-aws-modules/terraform-aws-eks (variables.tf, main.tf, node_groups.tf, modules/*), terraform-aws-modules/terraform-aws-iam
 * (modules/iam-role-for-service-accounts-eks, modules/iam-role-for-service-accounts), terraform-aws-modules/terraform-aws-eks-pod-identity.
 */

/** Names by major version. */
export type Names = ReadonlyMap<number, ReadonlySet<string>>;

function namesByMajor(always: string, byMajor: Readonly<Record<number, string>>): Names {
  const split = (text: string) => text.split(' ').filter((name) => name !== '');
  return new Map(
    Object.entries(byMajor).map(([major, names]) => [Number(major), new Set([...split(always), ...split(names)])]),
  );
}

export const EKS = namesByMajor(
  'cloudwatch_log_group_kms_key_id cloudwatch_log_group_retention_in_days cluster_tags control_plane_subnet_ids create create_cloudwatch_log_group ' +
    'create_cni_ipv6_iam_policy create_iam_role create_kms_key create_node_security_group custom_oidc_thumbprints eks_managed_node_groups enable_irsa ' +
    'enable_kms_key_rotation fargate_profiles iam_role_additional_policies iam_role_arn iam_role_description iam_role_name iam_role_path ' +
    'iam_role_permissions_boundary iam_role_tags iam_role_use_name_prefix kms_key_administrators kms_key_aliases kms_key_deletion_window_in_days ' +
    'kms_key_description kms_key_enable_default_policy kms_key_override_policy_documents kms_key_owners kms_key_service_users ' +
    'kms_key_source_policy_documents kms_key_users node_security_group_additional_rules node_security_group_description node_security_group_id ' +
    'node_security_group_name node_security_group_tags node_security_group_use_name_prefix openid_connect_audiences prefix_separator putin_khuylo ' +
    'self_managed_node_groups subnet_ids tags vpc_id',
  {
    18:
      'attach_cluster_encryption_policy aws_auth_accounts aws_auth_fargate_profile_pod_execution_role_arns aws_auth_node_iam_role_arns_non_windows ' +
      'aws_auth_node_iam_role_arns_windows aws_auth_roles aws_auth_users cluster_additional_security_group_ids cluster_addons cluster_enabled_log_types ' +
      'cluster_encryption_config cluster_encryption_policy_description cluster_encryption_policy_name cluster_encryption_policy_path ' +
      'cluster_encryption_policy_tags cluster_encryption_policy_use_name_prefix cluster_endpoint_private_access cluster_endpoint_public_access ' +
      'cluster_endpoint_public_access_cidrs cluster_iam_role_dns_suffix cluster_identity_providers cluster_ip_family cluster_name ' +
      'cluster_security_group_additional_rules cluster_security_group_description cluster_security_group_id cluster_security_group_name ' +
      'cluster_security_group_tags cluster_security_group_use_name_prefix cluster_service_ipv4_cidr cluster_timeouts cluster_version ' +
      'create_aws_auth_configmap create_cluster_primary_security_group_tags create_cluster_security_group eks_managed_node_group_defaults ' +
      'fargate_profile_defaults manage_aws_auth_configmap node_security_group_ntp_ipv4_cidr_block node_security_group_ntp_ipv6_cidr_block ' +
      'self_managed_node_group_defaults',
    19:
      'attach_cluster_encryption_policy aws_auth_accounts aws_auth_fargate_profile_pod_execution_role_arns aws_auth_node_iam_role_arns_non_windows ' +
      'aws_auth_node_iam_role_arns_windows aws_auth_roles aws_auth_users cloudwatch_log_group_tags cluster_additional_security_group_ids cluster_addons ' +
      'cluster_addons_timeouts cluster_enabled_log_types cluster_encryption_config cluster_encryption_policy_description cluster_encryption_policy_name ' +
      'cluster_encryption_policy_path cluster_encryption_policy_tags cluster_encryption_policy_use_name_prefix cluster_endpoint_private_access ' +
      'cluster_endpoint_public_access cluster_endpoint_public_access_cidrs cluster_iam_role_dns_suffix cluster_identity_providers cluster_ip_family ' +
      'cluster_name cluster_security_group_additional_rules cluster_security_group_description cluster_security_group_id cluster_security_group_name ' +
      'cluster_security_group_tags cluster_security_group_use_name_prefix cluster_service_ipv4_cidr cluster_service_ipv6_cidr cluster_timeouts ' +
      'cluster_version create_aws_auth_configmap create_cluster_primary_security_group_tags create_cluster_security_group dataplane_wait_duration ' +
      'eks_managed_node_group_defaults fargate_profile_defaults include_oidc_root_ca_thumbprint manage_aws_auth_configmap ' +
      'node_security_group_enable_recommended_rules outpost_config self_managed_node_group_defaults',
    20:
      'access_entries attach_cluster_encryption_policy authentication_mode bootstrap_self_managed_addons cloudwatch_log_group_class cloudwatch_log_group_tags ' +
      'cluster_additional_security_group_ids cluster_addons cluster_addons_timeouts cluster_compute_config cluster_enabled_log_types ' +
      'cluster_encryption_config cluster_encryption_policy_description cluster_encryption_policy_name cluster_encryption_policy_path ' +
      'cluster_encryption_policy_tags cluster_encryption_policy_use_name_prefix cluster_endpoint_private_access cluster_endpoint_public_access ' +
      'cluster_endpoint_public_access_cidrs cluster_force_update_version cluster_identity_providers cluster_ip_family cluster_name ' +
      'cluster_remote_network_config cluster_security_group_additional_rules cluster_security_group_description cluster_security_group_id ' +
      'cluster_security_group_name cluster_security_group_tags cluster_security_group_use_name_prefix cluster_service_ipv4_cidr cluster_service_ipv6_cidr ' +
      'cluster_timeouts cluster_upgrade_policy cluster_version cluster_zonal_shift_config create_cluster_primary_security_group_tags ' +
      'create_cluster_security_group create_node_iam_role dataplane_wait_duration eks_managed_node_group_defaults enable_auto_mode_custom_tags ' +
      'enable_cluster_creator_admin_permissions enable_efa_support enable_node_custom_tags_permissions enable_security_groups_for_pods ' +
      'fargate_profile_defaults include_oidc_root_ca_thumbprint node_iam_role_additional_policies node_iam_role_description node_iam_role_name ' +
      'node_iam_role_path node_iam_role_permissions_boundary node_iam_role_policy_statements node_iam_role_tags node_iam_role_use_name_prefix ' +
      'node_security_group_enable_recommended_rules outpost_config self_managed_node_group_defaults',
    21:
      'access_entries additional_security_group_ids addons addons_timeouts attach_encryption_policy authentication_mode cloudwatch_log_group_class ' +
      'cloudwatch_log_group_tags compute_config control_plane_scaling_config create_auto_mode_iam_resources create_node_iam_role ' +
      'create_primary_security_group_tags create_security_group dataplane_wait_duration deletion_protection enable_auto_mode_custom_tags ' +
      'enable_cluster_creator_admin_permissions enabled_log_types encryption_config encryption_policy_description encryption_policy_name ' +
      'encryption_policy_path encryption_policy_tags encryption_policy_use_name_prefix endpoint_private_access endpoint_public_access ' +
      'endpoint_public_access_cidrs force_update_version identity_providers include_oidc_root_ca_thumbprint ip_family kms_key_rotation_period_in_days ' +
      'kubernetes_version name node_iam_role_additional_policies node_iam_role_description node_iam_role_name node_iam_role_path ' +
      'node_iam_role_permissions_boundary node_iam_role_tags node_iam_role_use_name_prefix node_security_group_enable_recommended_rules outpost_config region ' +
      'remote_network_config security_group_additional_rules security_group_description security_group_id security_group_name security_group_tags ' +
      'security_group_use_name_prefix service_ipv4_cidr service_ipv6_cidr timeouts upgrade_policy zonal_shift_config',
  },
);

export const EKS_ADDON = namesByMajor('addon_version name service_account_role_arn', {
  18: 'resolve_conflicts',
  19: 'before_compute configuration_values most_recent preserve resolve_conflicts timeouts',
  20:
    'before_compute configuration_values most_recent pod_identity_association preserve resolve_conflicts_on_create resolve_conflicts_on_update tags ' +
    'timeouts',
  21:
    'before_compute configuration_values most_recent pod_identity_association preserve resolve_conflicts_on_create resolve_conflicts_on_update tags ' +
    'timeouts',
});

export const EKS_MANAGED_GROUP = namesByMajor(
  'ami_id ami_release_version ami_type attach_cluster_primary_security_group block_device_mappings bootstrap_extra_args ' +
    'capacity_reservation_specification capacity_type cpu_options create create_iam_role create_launch_template credit_specification desired_size ' +
    'disable_api_termination disk_size ebs_optimized enable_bootstrap_user_data enable_monitoring enclave_options force_update_version ' +
    'iam_role_additional_policies iam_role_arn iam_role_attach_cni_policy iam_role_description iam_role_name iam_role_path iam_role_permissions_boundary ' +
    'iam_role_tags iam_role_use_name_prefix instance_market_options instance_types kernel_id key_name labels launch_template_default_version ' +
    'launch_template_description launch_template_name launch_template_tags launch_template_use_name_prefix launch_template_version license_specifications ' +
    'max_size metadata_options min_size name network_interfaces placement post_bootstrap_user_data pre_bootstrap_user_data ram_disk_id remote_access ' +
    'subnet_ids tags taints timeouts update_config update_launch_template_default_version use_name_prefix user_data_template_path vpc_security_group_ids',
  {
    18:
      'cluster_version create_security_group elastic_gpu_specifications elastic_inference_accelerator platform security_group_description security_group_name ' +
      'security_group_rules security_group_tags security_group_use_name_prefix vpc_id',
    19:
      'cluster_version create_schedule elastic_gpu_specifications elastic_inference_accelerator launch_template_id maintenance_options platform ' +
      'private_dns_name_options schedules tag_specifications use_custom_launch_template',
    20:
      'cloudinit_post_nodeadm cloudinit_pre_nodeadm cluster_version create_iam_role_policy create_placement_group create_schedule efa_indices ' +
      'elastic_gpu_specifications elastic_inference_accelerator enable_efa_only enable_efa_support iam_role_policy_statements launch_template_id ' +
      'maintenance_options node_repair_config placement_group_az placement_group_strategy platform private_dns_name_options schedules tag_specifications ' +
      'use_custom_launch_template use_latest_ami_release_version',
    21:
      'cloudinit_post_nodeadm cloudinit_pre_nodeadm cluster_primary_security_group_id create_iam_role_policy create_placement_group create_security_group ' +
      'efa_indices enable_efa_only enable_efa_support iam_role_policy_statements kubernetes_version launch_template_id maintenance_options node_repair_config ' +
      'private_dns_name_options security_group_description security_group_egress_rules security_group_ingress_rules security_group_name security_group_tags ' +
      'security_group_use_name_prefix tag_specifications use_custom_launch_template use_latest_ami_release_version',
  },
);

export const EKS_SELF_MANAGED_GROUP = namesByMajor(
  'ami_id attach_cluster_primary_security_group autoscaling_group_tags availability_zones block_device_mappings bootstrap_extra_args capacity_rebalance ' +
    'capacity_reservation_specification cpu_options create create_autoscaling_group create_iam_instance_profile create_launch_template credit_specification ' +
    'desired_size disable_api_termination ebs_optimized enable_monitoring enabled_metrics enclave_options force_delete health_check_grace_period ' +
    'health_check_type iam_instance_profile_arn iam_role_additional_policies iam_role_attach_cni_policy iam_role_description iam_role_name iam_role_path ' +
    'iam_role_permissions_boundary iam_role_tags iam_role_use_name_prefix initial_lifecycle_hooks instance_initiated_shutdown_behavior ' +
    'instance_market_options instance_refresh instance_type kernel_id key_name launch_template_default_version launch_template_description ' +
    'launch_template_name launch_template_tags launch_template_use_name_prefix launch_template_version license_specifications max_instance_lifetime ' +
    'max_size metadata_options metrics_granularity min_size mixed_instances_policy name network_interfaces placement placement_group ' +
    'post_bootstrap_user_data pre_bootstrap_user_data protect_from_scale_in ram_disk_id subnet_ids suspended_processes tags termination_policies ' +
    'update_launch_template_default_version use_mixed_instances_policy use_name_prefix user_data_template_path vpc_security_group_ids',
  {
    18:
      'cluster_version create_schedule create_security_group default_cooldown delete_timeout elastic_gpu_specifications elastic_inference_accelerator ' +
      'hibernation_options min_elb_capacity platform propagate_tags schedules security_group_description security_group_name security_group_rules ' +
      'security_group_tags security_group_use_name_prefix service_linked_role_arn target_group_arns use_default_tags vpc_id wait_for_capacity_timeout ' +
      'wait_for_elb_capacity warm_pool',
    19:
      'cluster_version context create_schedule default_cooldown default_instance_warmup delete_timeout elastic_gpu_specifications ' +
      'elastic_inference_accelerator force_delete_warm_pool hibernation_options instance_requirements launch_template_id maintenance_options min_elb_capacity ' +
      'platform private_dns_name_options schedules service_linked_role_arn tag_specifications target_group_arns wait_for_capacity_timeout ' +
      'wait_for_elb_capacity warm_pool',
    20:
      'additional_cluster_dns_ips ami_type cloudinit_post_nodeadm cloudinit_pre_nodeadm cluster_version context create_access_entry create_iam_role_policy ' +
      'create_placement_group create_schedule default_cooldown default_instance_warmup delete_timeout desired_size_type efa_indices ' +
      'elastic_gpu_specifications elastic_inference_accelerator enable_efa_only enable_efa_support force_delete_warm_pool hibernation_options iam_role_arn ' +
      'iam_role_policy_statements ignore_failed_scaling_activities instance_maintenance_policy instance_requirements launch_template_id maintenance_options ' +
      'min_elb_capacity placement_group_az platform private_dns_name_options schedules service_linked_role_arn tag_specifications target_group_arns ' +
      'wait_for_capacity_timeout wait_for_elb_capacity warm_pool',
    21:
      'additional_cluster_dns_ips ami_type cloudinit_post_nodeadm cloudinit_pre_nodeadm context create_access_entry create_iam_role_policy ' +
      'create_placement_group create_security_group default_instance_warmup desired_size_type efa_indices enable_efa_only enable_efa_support iam_role_arn ' +
      'iam_role_policy_statements ignore_failed_scaling_activities instance_maintenance_policy instance_requirements kubernetes_version launch_template_id ' +
      'maintenance_options private_dns_name_options security_group_description security_group_egress_rules security_group_ingress_rules security_group_name ' +
      'security_group_tags security_group_use_name_prefix tag_specifications timeouts use_custom_launch_template',
  },
);

export const MANAGED_NODE_GROUP_MODULE = namesByMajor(
  'ami_id ami_release_version ami_type block_device_mappings bootstrap_extra_args capacity_reservation_specification capacity_type cluster_auth_base64 ' +
    'cluster_endpoint cluster_ip_family cluster_name cluster_primary_security_group_id cpu_options create create_iam_role create_launch_template ' +
    'credit_specification desired_size disable_api_termination disk_size ebs_optimized enable_bootstrap_user_data enable_monitoring enclave_options ' +
    'force_update_version iam_role_additional_policies iam_role_arn iam_role_attach_cni_policy iam_role_description iam_role_name iam_role_path ' +
    'iam_role_permissions_boundary iam_role_tags iam_role_use_name_prefix instance_market_options instance_types kernel_id key_name labels ' +
    'launch_template_default_version launch_template_description launch_template_name launch_template_tags launch_template_use_name_prefix ' +
    'launch_template_version license_specifications max_size metadata_options min_size name network_interfaces placement post_bootstrap_user_data ' +
    'pre_bootstrap_user_data ram_disk_id remote_access subnet_ids tags taints timeouts update_config update_launch_template_default_version use_name_prefix ' +
    'user_data_template_path vpc_security_group_ids',
  {
    18:
      'cluster_security_group_id cluster_service_ipv4_cidr cluster_version create_security_group elastic_gpu_specifications elastic_inference_accelerator ' +
      'platform security_group_description security_group_name security_group_rules security_group_tags security_group_use_name_prefix vpc_id',
    19:
      'cluster_service_ipv4_cidr cluster_version create_schedule elastic_gpu_specifications elastic_inference_accelerator launch_template_id ' +
      'maintenance_options platform private_dns_name_options schedules tag_specifications use_custom_launch_template',
    20:
      'cloudinit_post_nodeadm cloudinit_pre_nodeadm cluster_service_cidr cluster_service_ipv4_cidr cluster_version create_iam_role_policy ' +
      'create_placement_group create_schedule efa_indices elastic_gpu_specifications elastic_inference_accelerator enable_efa_only enable_efa_support ' +
      'iam_role_policy_statements launch_template_id maintenance_options node_repair_config placement_group_az placement_group_strategy platform ' +
      'private_dns_name_options schedules tag_specifications use_custom_launch_template use_latest_ami_release_version',
    21:
      'account_id cloudinit_post_nodeadm cloudinit_pre_nodeadm cluster_service_cidr create_iam_role_policy create_placement_group create_security_group ' +
      'efa_indices enable_efa_only enable_efa_support iam_role_policy_statements kubernetes_version launch_template_id maintenance_options node_repair_config ' +
      'partition private_dns_name_options region security_group_description security_group_egress_rules security_group_ingress_rules security_group_name ' +
      'security_group_tags security_group_use_name_prefix tag_specifications use_custom_launch_template use_latest_ami_release_version',
  },
);

export const KARPENTER = namesByMajor(
  'cluster_ip_family cluster_name create create_iam_role create_instance_profile enable_spot_termination iam_role_description ' +
    'iam_role_max_session_duration iam_role_name iam_role_path iam_role_tags iam_role_use_name_prefix queue_kms_data_key_reuse_period_seconds ' +
    'queue_kms_master_key_id queue_managed_sse_enabled queue_name tags',
  {
    18:
      'create_irsa iam_role_additional_policies iam_role_arn iam_role_attach_cni_policy iam_role_permissions_boundary irsa_assume_role_condition_test ' +
      'irsa_description irsa_max_session_duration irsa_name irsa_namespace_service_accounts irsa_oidc_provider_arn irsa_path irsa_permissions_boundary_arn ' +
      'irsa_ssm_parameter_arns irsa_subnet_account_id irsa_tag_key irsa_tags irsa_use_name_prefix',
    19:
      'create_irsa enable_karpenter_instance_profile_creation iam_role_additional_policies iam_role_arn iam_role_attach_cni_policy ' +
      'iam_role_permissions_boundary irsa_assume_role_condition_test irsa_description irsa_max_session_duration irsa_name irsa_namespace_service_accounts ' +
      'irsa_oidc_provider_arn irsa_path irsa_permissions_boundary_arn irsa_policy_name irsa_ssm_parameter_arns irsa_subnet_account_id irsa_tag_key ' +
      'irsa_tag_values irsa_tags irsa_use_name_prefix policies rule_name_prefix',
    20:
      'access_entry_type ami_id_ssm_parameter_arns create_access_entry create_node_iam_role create_pod_identity_association enable_irsa enable_pod_identity ' +
      'enable_v1_permissions iam_policy_description iam_policy_name iam_policy_path iam_policy_statements iam_policy_use_name_prefix ' +
      'iam_role_permissions_boundary_arn iam_role_policies irsa_assume_role_condition_test irsa_namespace_service_accounts irsa_oidc_provider_arn namespace ' +
      'node_iam_role_additional_policies node_iam_role_arn node_iam_role_attach_cni_policy node_iam_role_description node_iam_role_max_session_duration ' +
      'node_iam_role_name node_iam_role_path node_iam_role_permissions_boundary node_iam_role_tags node_iam_role_use_name_prefix rule_name_prefix ' +
      'service_account',
    21:
      'access_entry_type ami_id_ssm_parameter_arns create_access_entry create_node_iam_role create_pod_identity_association enable_inline_policy ' +
      'iam_policy_description iam_policy_name iam_policy_path iam_policy_statements iam_policy_use_name_prefix iam_role_override_assume_policy_documents ' +
      'iam_role_permissions_boundary_arn iam_role_policies iam_role_source_assume_policy_documents namespace node_iam_role_additional_policies ' +
      'node_iam_role_arn node_iam_role_attach_cni_policy node_iam_role_description node_iam_role_max_session_duration node_iam_role_name node_iam_role_path ' +
      'node_iam_role_permissions_boundary node_iam_role_tags node_iam_role_use_name_prefix queue_policy_statements region rule_name_prefix service_account',
  },
);

export const SERVICE_ACCOUNT_ROLE_4_5 = namesByMajor(
  'amazon_managed_service_prometheus_workspace_arns assume_role_condition_test attach_amazon_managed_service_prometheus_policy ' +
    'attach_appmesh_controller_policy attach_appmesh_envoy_proxy_policy attach_cert_manager_policy attach_cluster_autoscaler_policy attach_ebs_csi_policy ' +
    'attach_efs_csi_policy attach_external_dns_policy attach_external_secrets_policy attach_fsx_lustre_csi_policy attach_karpenter_controller_policy ' +
    'attach_load_balancer_controller_policy attach_load_balancer_controller_targetgroup_binding_only_policy attach_node_termination_handler_policy ' +
    'attach_velero_policy attach_vpc_cni_policy cert_manager_hosted_zone_arns cluster_autoscaler_cluster_ids create_role ebs_csi_kms_cmk_ids ' +
    'external_dns_hosted_zone_arns external_secrets_secrets_manager_arns external_secrets_ssm_parameter_arns force_detach_policies ' +
    'fsx_lustre_csi_service_role_arns karpenter_controller_cluster_id karpenter_controller_node_iam_role_arns karpenter_controller_ssm_parameter_arns ' +
    'karpenter_subnet_account_id karpenter_tag_key max_session_duration node_termination_handler_sqs_queue_arns oidc_providers policy_name_prefix ' +
    'role_description role_name role_name_prefix role_path role_permissions_boundary_arn role_policy_arns tags velero_s3_bucket_arns vpc_cni_enable_ipv4 ' +
    'vpc_cni_enable_ipv6',
  {
    4: 'karpenter_controller_cluster_ids',
    5:
      'allow_self_assume_role attach_aws_gateway_controller_policy attach_cloudwatch_observability_policy attach_fsx_openzfs_csi_policy ' +
      'attach_mountpoint_s3_csi_policy cluster_autoscaler_cluster_names enable_karpenter_instance_profile_creation external_secrets_kms_key_arns ' +
      'external_secrets_secrets_manager_create_permission fsx_openzfs_csi_service_role_arns karpenter_controller_cluster_name karpenter_sqs_queue_arn ' +
      'load_balancer_controller_targetgroup_arns mountpoint_s3_csi_bucket_arns mountpoint_s3_csi_kms_arns mountpoint_s3_csi_path_arns ' +
      'vpc_cni_enable_cloudwatch_logs',
  },
);

export const SERVICE_ACCOUNT_ROLE_6 = namesByMajor(
  'amazon_managed_service_prometheus_workspace_arns attach_amazon_managed_service_prometheus_policy attach_aws_gateway_controller_policy ' +
    'attach_cert_manager_policy attach_cloudwatch_observability_policy attach_cluster_autoscaler_policy attach_ebs_csi_policy attach_efs_csi_policy ' +
    'attach_external_dns_policy attach_external_secrets_policy attach_fsx_lustre_csi_policy attach_fsx_openzfs_csi_policy ' +
    'attach_load_balancer_controller_policy attach_load_balancer_controller_targetgroup_binding_only_policy attach_mountpoint_s3_csi_policy ' +
    'attach_node_termination_handler_policy attach_velero_policy attach_vpc_cni_policy cert_manager_hosted_zone_arns cluster_autoscaler_cluster_names ' +
    'create create_inline_policy create_policy description ebs_csi_kms_cmk_arns external_dns_hosted_zone_arns external_secrets_kms_key_arns ' +
    'external_secrets_secrets_manager_arns external_secrets_secrets_manager_create_permission external_secrets_ssm_parameter_arns ' +
    'fsx_lustre_csi_service_role_arns fsx_openzfs_csi_service_role_arns inline_policy_permissions load_balancer_controller_targetgroup_arns ' +
    'max_session_duration mountpoint_s3_csi_bucket_arns mountpoint_s3_csi_kms_arns mountpoint_s3_csi_path_arns name node_termination_handler_sqs_queue_arns ' +
    'oidc_providers override_inline_policy_documents override_policy_documents path permissions permissions_boundary policies policy_description ' +
    'policy_name policy_path region source_inline_policy_documents source_policy_documents tags trust_condition_test use_name_prefix velero_s3_bucket_arns ' +
    'vpc_cni_enable_cloudwatch_logs vpc_cni_enable_ipv4 vpc_cni_enable_ipv6',
  {
    6: '',
  },
);

export const POD_IDENTITY = namesByMajor(
  'additional_policy_arns amazon_managed_service_prometheus_policy_name amazon_managed_service_prometheus_workspace_arns appmesh_controller_policy_name ' +
    'appmesh_envoy_proxy_policy_name association_defaults associations attach_amazon_managed_service_prometheus_policy attach_aws_appmesh_controller_policy ' +
    'attach_aws_appmesh_envoy_proxy_policy attach_aws_cloudwatch_observability_policy attach_aws_ebs_csi_policy attach_aws_efs_csi_policy ' +
    'attach_aws_fsx_lustre_csi_policy attach_aws_gateway_controller_policy attach_aws_lb_controller_policy ' +
    'attach_aws_lb_controller_targetgroup_binding_only_policy attach_aws_node_termination_handler_policy attach_aws_privateca_issuer_policy ' +
    'attach_aws_vpc_cni_policy attach_cert_manager_policy attach_cluster_autoscaler_policy attach_custom_policy attach_external_dns_policy ' +
    'attach_external_secrets_policy attach_mountpoint_s3_csi_policy attach_velero_policy aws_ebs_csi_kms_arns aws_ebs_csi_policy_name ' +
    'aws_efs_csi_policy_name aws_fsx_lustre_csi_policy_name aws_fsx_lustre_csi_service_role_arns aws_gateway_controller_policy_name ' +
    'aws_lb_controller_policy_name aws_lb_controller_targetgroup_arns aws_lb_controller_targetgroup_only_policy_name ' +
    'aws_node_termination_handler_policy_name aws_node_termination_handler_sqs_queue_arns aws_privateca_issuer_acmca_arns aws_privateca_issuer_policy_name ' +
    'aws_vpc_cni_enable_cloudwatch_logs aws_vpc_cni_enable_ipv4 aws_vpc_cni_enable_ipv6 aws_vpc_cni_policy_name cert_manager_hosted_zone_arns ' +
    'cert_manager_policy_name cluster_autoscaler_cluster_names cluster_autoscaler_policy_name create custom_policy_description description ' +
    'external_dns_hosted_zone_arns external_dns_policy_name external_secrets_create_permission external_secrets_kms_key_arns external_secrets_policy_name ' +
    'external_secrets_secrets_manager_arns external_secrets_ssm_parameter_arns max_session_duration mountpoint_s3_csi_bucket_arns ' +
    'mountpoint_s3_csi_bucket_path_arns mountpoint_s3_csi_policy_name name override_policy_documents path permissions_boundary_arn policy_name_prefix ' +
    'policy_statements source_policy_documents tags trust_policy_conditions trust_policy_statements use_name_prefix velero_policy_name ' +
    'velero_s3_bucket_arns velero_s3_bucket_path_arns',
  {
    1: '',
    2: 'attach_pganalyze_policy pganalyze_policy_name region velero_kms_arns',
  },
);
